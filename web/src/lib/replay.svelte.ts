/** Looking at an earlier position of a table: as the own seat saw it, and once the game is over as any seat did. */

import { api, type EventInfo, type PastView } from './api'
import type { Stage } from './stage.svelte'

type Animate = (events: readonly EventInfo[], after: PastView['view']) => Promise<void>

export class ReplayState {
  /** the position looked at; null: the present one */
  shown = $state.raw<PastView | null>(null)
  busy = $state(false)
  #viewer: number | null = null // the seat to view from; null: the own
  #wanted: number | null = null // where to go next, asked for while another position was fetched

  constructor(
    private readonly id: string,
    /** the viewer's own seat */
    private readonly own: () => number | null,
    private readonly stage: Stage,
    /** shows a single step forwards as it happened */
    private readonly animate: Animate,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Go to a position, and note it in the address. With a seat, as that one saw it from now on. */
  go = async (ply: number, seat?: number): Promise<void> => {
    if (seat !== undefined) this.#viewer = seat
    if (this.busy) {
      this.#wanted = ply
      return
    }
    this.busy = true
    this.#wanted = null
    try {
      const before = this.shown
      const next = await api.past(this.id, ply, this.#viewer ?? this.own() ?? undefined)
      history.replaceState(history.state, '', `#ply=${ply}`)
      if (before && before.seat === next.seat && ply === before.ply + 1) await this.animate(next.events, next.view)
      this.shown = next
      this.stage.clear()
    } catch (error) {
      this.fail(error)
    } finally {
      this.busy = false
    }
    if (this.#wanted !== null) await this.go(this.#wanted)
  }

  /** Open the position that the address names, if it does. */
  follow = (): void => {
    const ply = /^#ply=(\d+)/.exec(location.hash)?.[1]
    if (ply !== undefined) void this.go(Number(ply))
  }

  viewFrom = (seat: number | null): void => {
    this.#viewer = seat
    if (this.shown) void this.go(this.shown.ply)
  }

  leave = (): void => {
    this.shown = null
    this.#wanted = null
    this.#viewer = null
    history.replaceState(history.state, '', location.pathname)
  }
}
