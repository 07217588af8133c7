/** Looking at an earlier moment of a table, by anybody's eyes once the game is over. */

import { api, type EventInfo, type PastView } from './api'
import type { Stage } from './stage.svelte'

type Animate = (events: readonly EventInfo[], after: PastView['view']) => Promise<void>

export class Past {
  /** the moment looked at; null: the present */
  moment = $state.raw<PastView | null>(null)
  busy = $state(false)
  #eyes: number | null = null // whose; null: the own

  constructor(
    private readonly id: string,
    /** the seat that looks with its own eyes */
    private readonly own: () => number | null,
    private readonly stage: Stage,
    /** shows a single step on as it happened */
    private readonly animate: Animate,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Go to a moment, and let the address tell it. */
  go = async (ply: number): Promise<void> => {
    if (this.busy) return
    this.busy = true
    try {
      const before = this.moment
      const next = await api.past(this.id, ply, this.#eyes ?? this.own() ?? undefined)
      history.replaceState(history.state, '', `#ply=${ply}`)
      if (before && before.seat === next.seat && ply === before.ply + 1) await this.animate(next.events, next.view)
      this.moment = next
      this.stage.clear()
    } catch (error) {
      this.fail(error)
    } finally {
      this.busy = false
    }
  }

  /** A link to a moment opens it. */
  follow = (): void => {
    const ply = /^#ply=(\d+)/.exec(location.hash)?.[1]
    if (ply !== undefined) void this.go(Number(ply))
  }

  look = (seat: number | null): void => {
    this.#eyes = seat
    if (this.moment) void this.go(this.moment.ply)
  }

  leave = (): void => {
    this.moment = null
    this.#eyes = null
    history.replaceState(history.state, '', location.pathname)
  }
}
