/** What the page does about its service worker: start it, offer a new version, and have kept what can be read without the server. */

import { api, type TableView } from './api'
import { settings } from './settings.svelte'

const LOOK_EVERY = 3_600_000 // milliseconds between two looks for a new version
const KEPT_GAMES = 10 // of those listed, the latest are kept whole
const BREATH = 500 // milliseconds between two requests that nobody waits for
const SHORT_BREATH = 80 // … for the positions of a game: they are many and small
const TRIES = 100 // looks until the service worker has kept a table

class Offline {
  /** a new version of the page that is there as a whole, and waits */
  next = $state.raw<ServiceWorker | null>(null)
  #keeping = new Set<string>() // games whose positions are being fetched

  /** Start the service worker; without it the page works as long as the server does. */
  async start(): Promise<void> {
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
    const workers = navigator.serviceWorker
    let controlled = workers.controller !== null
    workers.addEventListener('controllerchange', () => {
      if (controlled) location.reload() // a page of one version never asks for files of another
      controlled = true
      void this.#prepare()
    })
    try {
      const registration = await workers.register('/service-worker.js', { updateViaCache: 'none' })
      this.#watch(registration)
      const look = () => void registration.update().catch(() => {})
      setInterval(look, LOOK_EVERY)
      document.addEventListener('visibilitychange', () => document.hidden || look())
    } catch {
      return // private windows of some browsers have none
    }
    if (controlled) void this.#prepare()
  }

  /** Change to the new version: this page and all others of ours load it. */
  renew(): void {
    this.next?.postMessage('activate')
  }

  #watch(registration: ServiceWorkerRegistration): void {
    const waits = () => {
      if (navigator.serviceWorker.controller) this.next = registration.waiting
    }
    waits()
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', waits))
  }

  /** Ask once for all that shall be readable without the server; the service worker keeps the answers. */
  async #prepare(): Promise<void> {
    try {
      const known = await kept()
      const wanted = (path: string) => !known.has(`${path}?lang=${settings.language}`)
      for (const { name } of await api.games()) {
        if (wanted(`/api/games/${name}/help`)) await unhurried(api.help(name))
        if (wanted(`/api/games/${name}`)) await unhurried(api.game(name))
      }
      for (const { id } of (await api.tables('finished')).slice(0, KEPT_GAMES))
        if (wanted(`/api/tables/${id}`)) await unhurried(api.look(id))
    } catch {
      // the server is away; the next visit tries again
    }
  }

  /**
   * Keep a finished game that the person has opened, with all its positions as the own seat saw them, so that it can be replayed
   * without the server. The table itself came by the socket, which the service worker does not see.
   */
  async keep(table: TableView): Promise<void> {
    const { id, seat } = table
    if (seat === null || this.#keeping.has(id) || !navigator.serviceWorker?.controller) return
    this.#keeping.add(id)
    try {
      const known = await kept()
      const language = settings.language
      const whole = `/api/tables/${id}?lang=${language}`
      if (!known.has(whole)) await Promise.all([api.look(id), api.tables('finished')])
      for (let tries = 0; tries < TRIES && !(await kept()).has(whole); tries++) await pause(SHORT_BREATH) // positions belong to it
      for (let ply = 0; ply <= table.ply && settings.language === language; ply++)
        if (!known.has(`/api/tables/${id}/plies/${ply}?ply=&seat=${seat}&lang=${language}`))
          await unhurried(api.past(id, ply, seat), SHORT_BREATH)
    } catch {
      // the server is away, or does not know the first positions any more; what is there can be seen
    } finally {
      this.#keeping.delete(id)
    }
  }
}

/** The addresses of all answers that are kept. */
async function kept(): Promise<Set<string>> {
  const names = (await caches.keys()).filter((name) => name === 'azalai-public' || name.startsWith('azalai-own-'))
  const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return new Set(found.flat().map(({ url }) => url.slice(location.origin.length)))
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function unhurried(request: Promise<unknown>, breath = BREATH): Promise<void> {
  await request
  await pause(breath)
}

export const offline = new Offline()
