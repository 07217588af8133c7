/** What the start page knows of the server: games and lists of tables, by a socket that tells what changes, else by asking. */

import { ApiError, Unreachable, api, met, type GameInfo, type ServerMessage, type TableSummary } from '$lib/api'
import { settings } from '$lib/settings.svelte'
import { hangUp } from '$lib/socket'
import { gamesInOrder } from '../../games'

const EVERY = 30_000 // milliseconds between two times of asking
const AGAIN = 4000 // … after the server has not answered
const PING = 20_000
const TICK = 30_000 // "3 minutes ago" goes on

export class Home {
  games = $state.raw<GameInfo[]>([])
  mine = $state.raw<TableSummary[]>([])
  open = $state.raw<TableSummary[]>([])
  invitations = $state.raw<TableSummary[]>([])
  running = $state.raw<TableSummary[]>([])
  offline = $state(false)
  /** whether the first answer has come */
  known = $state(false)
  /** the server's time, by which durations are told */
  now = $state(Date.now())

  #lag = 0 // server time minus ours
  #socket: WebSocket | null = null
  #live = false
  #tries = 0
  #timers: Partial<Record<'ask' | 'retry' | 'ping' | 'tick', ReturnType<typeof setTimeout>>> = {}

  /** Follow what happens; returns what stops it. */
  follow(): () => void {
    void this.#ask()
    void met.then(() => this.#connect())
    this.#timers.tick = setInterval(() => this.#tell(), TICK)
    document.addEventListener('visibilitychange', this.#wake)
    return () => {
      document.removeEventListener('visibilitychange', this.#wake)
      Object.values(this.#timers).forEach(clearTimeout)
      this.#drop()
    }
  }

  #tell(): void {
    this.now = Date.now() + this.#lag
  }

  /** Ask for everything, again and again; what the socket tells is not asked for. */
  async #ask(): Promise<void> {
    clearTimeout(this.#timers.ask)
    try {
      const live = this.#live
      const [games, running, ...own] = await Promise.all([
        api.games(),
        api.tables('watch'),
        ...(live ? [] : (['mine', 'public', 'invitations'] as const).map((list) => api.tables(list))),
      ])
      this.games = gamesInOrder(games)
      this.running = running
      if (!live && !this.#live) {
        const [mine = [], open = [], invitations = []] = own
        this.mine = mine
        this.open = open.filter((table) => !table.seats.some((seat) => seat.mine))
        this.invitations = invitations
        this.known = true
        this.#tell()
      }
      this.offline = false
      this.#timers.ask = setTimeout(() => void this.#ask(), EVERY)
    } catch (error) {
      this.offline = error instanceof Unreachable || (error instanceof ApiError && error.status >= 500)
      this.#timers.ask = setTimeout(() => void this.#ask(), AGAIN)
    }
  }

  #connect(): void {
    const query = new URLSearchParams({ lang: settings.language })
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/lobby?${query}`)
    this.#drop()
    this.#socket = socket
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as ServerMessage)
    socket.onopen = () => {
      this.#tries = 0
      this.#timers.ping = setInterval(() => socket.send('{"type":"ping"}'), PING)
    }
    socket.onclose = () => {
      if (socket !== this.#socket) return
      this.#drop()
      this.#tries += 1
      const wait = Math.min(30_000, 500 * 2 ** this.#tries) * (0.7 + Math.random() * 0.6)
      this.#timers.retry = setTimeout(() => this.#connect(), wait)
    }
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    this.#live = false
    clearInterval(this.#timers.ping)
    clearTimeout(this.#timers.retry)
    if (socket) hangUp(socket)
  }

  #hear(message: ServerMessage): void {
    if (message.type === 'open') this.open = message.tables
    else if (message.type === 'own') {
      this.mine = message.tables
      this.invitations = message.invitations
    } else return
    this.#live = true
    this.known = true
    this.#lag = message.time - Date.now()
    this.#tell()
  }

  /** A phone that wakes up does not wait for the timer. */
  #wake = (): void => {
    if (document.visibilityState === 'hidden') return
    this.#tell()
    if (this.#socket?.readyState !== WebSocket.OPEN) this.#connect()
  }
}
