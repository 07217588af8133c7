/** What the start page knows of the server: games and lists of tables. */

import { ApiError, Unreachable, api, type GameInfo, type TableSummary } from '$lib/api'

const EVERY = 30_000
const AGAIN = 4000

export class Home {
  games = $state.raw<GameInfo[]>([])
  mine = $state.raw<TableSummary[]>([])
  open = $state.raw<TableSummary[]>([])
  running = $state.raw<TableSummary[]>([])
  offline = $state(false)
  /** the time by which durations are told; it goes on with every load */
  now = $state(Date.now())

  #timer: ReturnType<typeof setTimeout> | undefined

  /** Load all, again and again; returns what stops it. */
  follow(): () => void {
    void this.load()
    return () => clearTimeout(this.#timer)
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      ;[this.games, this.mine, this.open, this.running] = await Promise.all([
        api.games(),
        api.tables('mine'),
        api.tables('public'),
        api.tables('watch'),
      ])
      this.offline = false
      this.now = Date.now()
      this.#timer = setTimeout(() => void this.load(), EVERY)
    } catch (error) {
      this.offline = error instanceof Unreachable || (error instanceof ApiError && error.status >= 500)
      this.#timer = setTimeout(() => void this.load(), AGAIN)
    }
  }
}
