/** What the page does about its service worker: start it, offer a new version, and have kept what can be read without the server. */

import { api, type TableView } from './api'
import { settings } from './settings.svelte'

const LOOK_EVERY = 3_600_000 // milliseconds between two looks for a new version
const KEPT_GAMES = 10 // of those listed, the latest are kept whole
const BREATH = 500 // milliseconds between two requests that nobody waits for

class Offline {
  /** a new version of the page that is there as a whole, and waits */
  next = $state.raw<ServiceWorker | null>(null)

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

  /** Keep a finished game that the person has opened: it came by the socket, which the service worker does not see. */
  async keep(table: TableView): Promise<void> {
    if (table.seat === null || !navigator.serviceWorker?.controller) return
    if ((await kept()).has(`/api/tables/${table.id}?lang=${settings.language}`)) return
    await Promise.all([api.look(table.id), api.tables('finished')]).catch(() => {})
  }
}

/** The addresses of all answers that are kept. */
async function kept(): Promise<Set<string>> {
  const names = (await caches.keys()).filter((name) => name === 'azalai-public' || name.startsWith('azalai-own-'))
  const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return new Set(found.flat().map(({ url }) => url.slice(location.origin.length)))
}

async function unhurried(request: Promise<unknown>): Promise<void> {
  await request
  await new Promise((resolve) => setTimeout(resolve, BREATH))
}

export const offline = new Offline()
