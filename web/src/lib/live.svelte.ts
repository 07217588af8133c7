/** A table as it changes: a socket that resumes where it was, and asking by HTTP where sockets do not get through. */

import {
  ApiError,
  Unreachable,
  api,
  met,
  type ChatLine,
  type Command,
  type EventInfo,
  type ServerMessage,
  type TableView,
} from './api'
import { heard, merged } from './merge'
import { offline } from './offline.svelte'
import { settings } from './settings.svelte'
import { hangUp } from './socket'

export type Line = 'connecting' | 'live' | 'asking' | 'lost' | 'gone' | 'refused'

interface Sent {
  done: (version: number) => void
  failed: (error: Error) => void
}

const PATIENCE = 12_000 // a line that has been silent for so long after a ping is dead
const PING_EVERY = 20_000
const LAG = 3_000 // … and so is one that does not bring by then what a request has answered
const GONE = 4404
const REFUSED = ['old_rules', 'old_rules_running', 'unreadable', 'banned'] // trying again does not help
const TRIES_BEFORE_ASKING = 3

export class LiveTable {
  line = $state<Line>('connecting')
  /** why the table is refused: a code of the server */
  reason = $state('')
  latest = $state.raw<TableView | null>(null)
  events = $state.raw<EventInfo[]>([])
  chat = $state.raw<ChatLine[]>([])
  connected = $state.raw<number[]>([])
  watchers = $state(0)
  /** the last change we know of; until its view has come, what is shown is of the past */
  version = $state(0)
  /** server time minus ours, in milliseconds */
  lag = 0

  #socket: WebSocket | null = null
  #tries = 0
  #closed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setInterval> | undefined
  #heardAt = 0
  #asking = new AbortController()
  #language = settings.language
  /** commands the socket has not answered yet, by the id they were sent with */
  #sent = new Map<number, Sent>()
  #lastId = 0

  constructor(
    readonly id: string,
    /** called with every new view, in order */
    private readonly told: (view: TableView) => void,
    private readonly seat?: number,
  ) {
    document.addEventListener('visibilitychange', this.#wake)
    addEventListener('online', this.#wake)
    void met.then(() => this.#open())
  }

  close(): void {
    this.#closed = true
    document.removeEventListener('visibilitychange', this.#wake)
    removeEventListener('online', this.#wake)
    clearTimeout(this.#timer)
    clearInterval(this.#ping)
    this.#asking.abort()
    if (this.#socket) hangUp(this.#socket)
  }

  /** Execute a command: over the live socket, which brings the new table once; else by HTTP, whose answer is the new table. */
  async command(command: Command): Promise<void> {
    const socket = this.#socket
    if (this.line === 'live' && socket?.readyState === WebSocket.OPEN) {
      try {
        this.version = Math.max(this.version, await this.#send(socket, command))
        return
      } catch (error) {
        // to repeat a move does no harm; what else was lost with the socket, a person must decide to repeat
        if (!(error instanceof Unreachable) || command.type !== 'play') throw error
      }
    }
    this.answered(await api.command(this.id, command, this.#since()))
  }

  /** Send a command over the socket and return the version it led to; a socket that stays silent is opened again. */
  async #send(socket: WebSocket, command: Command): Promise<number> {
    const id = (this.#lastId += 1)
    const timer = setTimeout(() => socket === this.#socket && this.#renew(), LAG)
    try {
      return await new Promise<number>((done, failed) => {
        this.#sent.set(id, { done, failed })
        socket.send(JSON.stringify({ ...command, id }))
      })
    } finally {
      clearTimeout(timer)
      this.#sent.delete(id)
    }
  }

  /** An answer to a request of ours. Where the line is live the same comes there, and with the right eyes. */
  answered(view: TableView): void {
    if (this.line !== 'live') return this.take(view)
    this.version = Math.max(this.version, view.version)
    const socket = this.#socket
    setTimeout(() => {
      if (socket === this.#socket && !this.#closed && (this.latest?.version ?? 0) < view.version) this.#renew()
    }, LAG)
  }

  /** Take in a view. */
  take(view: TableView): void {
    const known = this.latest
    if (known && view.language === known.language && view.seat === known.seat && view.version <= known.version) return
    this.events = merged(this.events, view)
    this.chat = heard(this.chat, view.chat)
    this.latest = view
    this.lag = view.time - Date.now()
    this.connected = view.seats.filter((seat) => seat.connected).map((seat) => seat.seat)
    this.watchers = view.watchers
    if (view.status === 'over' || view.status === 'imported') void offline.keep(view)
    this.told(view)
  }

  /** Look again from the beginning: we may have other eyes now. */
  reopen(): void {
    this.latest = null
    this.events = []
    this.#heardAt = 0
    this.#wake()
  }

  /** The same table in the language now chosen, from the beginning. */
  speak(language: string): void {
    if (language === this.#language) return
    this.#language = language
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'look', lang: language }))
    else this.#wake()
  }

  #since(): { since: number; version?: number } {
    const known = this.latest
    // before the game has begun there was nothing to see, and it begins with events of ply 0
    return known && known.language === this.#language && known.status !== 'waiting'
      ? { since: known.ply, version: known.version }
      : { since: -1 }
  }

  #open(): void {
    if (this.#closed) return
    const { since, version } = this.#since()
    const query = new URLSearchParams({ lang: this.#language, since: String(since) })
    if (version !== undefined) query.set('version', String(version))
    if (this.seat !== undefined) query.set('seat', String(this.seat))
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/tables/${this.id}/live?${query}`)
    this.#socket = socket
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as ServerMessage)
    socket.onopen = () => {
      this.#heardAt = Date.now()
      clearInterval(this.#ping)
      this.#ping = setInterval(() => this.#check(socket), PING_EVERY)
    }
    socket.onclose = (closed) => {
      if (socket !== this.#socket || this.#closed) return
      clearInterval(this.#ping)
      this.#dropSent()
      if (closed.code === GONE) this.line = 'gone'
      else if (!this.#refused(closed.reason)) this.#retry()
    }
  }

  #refused(code: string): boolean {
    if (!REFUSED.includes(code)) return false
    this.reason = code
    this.line = 'refused'
    return true
  }

  #hear(message: ServerMessage): void {
    this.#heardAt = Date.now()
    if (message.type === 'table') {
      this.#tries = 0
      this.line = 'live'
      this.#asking.abort()
      this.take(message)
    } else if (message.type === 'presence') {
      this.connected = message.connected
      this.watchers = message.watchers
    } else if (message.type === 'done') {
      this.#sent.get(Number(message.id))?.done(message.version)
    } else if (message.type === 'error') {
      this.#sent.get(Number(message.id))?.failed(new ApiError(409, message.error, message.message))
    }
  }

  /** The socket is gone: what it has not answered may or may not have been done. */
  #dropSent(): void {
    for (const one of this.#sent.values()) one.failed(new Unreachable('the server cannot be reached'))
  }

  #check(socket: WebSocket): void {
    if (Date.now() - this.#heardAt > PING_EVERY + PATIENCE) socket.close()
    else socket.send('{"type":"ping"}')
  }

  #retry(): void {
    this.#tries += 1
    if ((this.#tries >= TRIES_BEFORE_ASKING || !navigator.onLine) && this.line !== 'asking') void this.#ask()
    else if (this.line !== 'asking') this.line = this.latest ? 'lost' : 'connecting'
    clearTimeout(this.#timer)
    const wait = Math.min(15_000, 400 * 2 ** this.#tries) * (0.7 + Math.random() * 0.6)
    this.#timer = setTimeout(() => this.#open(), wait)
  }

  /** Without sockets: ask, and let the server answer when something has happened. */
  async #ask(): Promise<void> {
    this.line = 'asking'
    this.#asking = new AbortController()
    const { signal } = this.#asking
    while (!this.#closed && !signal.aborted) {
      try {
        const query = this.#since()
        this.take(await api.look(this.id, { ...query, seat: this.seat, wait: query.version === undefined ? 0 : 20 }, signal))
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.status === 304) continue
        if (error instanceof ApiError && this.#refused(error.code)) return this.close()
        if (error instanceof ApiError && error.status === 404) {
          this.line = 'gone'
          this.close()
          return
        }
        if (error instanceof Unreachable) this.line = 'lost'
        await new Promise((resolve) => setTimeout(resolve, 3000))
        this.line = 'asking'
      }
    }
  }

  /** A phone that wakes up, a network that comes back: do not wait for the timer. */
  #wake = (): void => {
    if (document.visibilityState === 'hidden' || this.#closed || this.line === 'gone' || this.line === 'refused') return
    if (this.#socket?.readyState === WebSocket.OPEN && Date.now() - this.#heardAt < PING_EVERY) return
    this.#renew()
  }

  #renew(): void {
    clearTimeout(this.#timer)
    const old = this.#socket
    this.#socket = null
    this.#dropSent()
    if (old) hangUp(old)
    this.#tries = 0
    this.#open()
  }
}
