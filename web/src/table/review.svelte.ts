/** The review of a finished game: fetched while it is computed, and looked at on the board. */

import { api, type LineStep, type MoveInfo, type Review, type ReviewedDecision, type TriedVerdict } from '$lib/api'
import type { ReplayState } from '$lib/replay.svelte'
import { mistakesOf } from './review'

const PAUSE = 700 // milliseconds between two looks at a review that is computed
const PATIENCE = 15 // looks without news after which it is asked for again

export class ReviewState {
  data = $state.raw<Review | null>(null)
  /** through whose eyes the chances are shown: a seat; the number of seats means all-knowing eyes */
  eyes = $state<number | null>(null)
  /** a decision that is looked at again, with its legal moves */
  again = $state.raw<{ decision: ReviewedDecision; moves: readonly MoveInfo[]; line: readonly LineStep[] } | null>(null)
  /** whether the person looks for a better move, and what became of the last one tried */
  trying = $state(false)
  tried = $state.raw<{ move: MoveInfo; verdict: TriedVerdict } | null>(null)
  busy = $state(false)
  #asked = false

  constructor(
    private readonly id: string,
    private readonly replay: ReplayState,
    private readonly mine: () => readonly number[],
    private readonly fail: (error: unknown) => void,
  ) {}

  readonly view = $derived.by(() => this.eyes ?? (this.data ? (this.data.chances[0]?.length ?? 1) - 1 : 0))
  readonly mistakes = $derived.by(() => (this.data ? mistakesOf(this.data, this.mine()) : []))
  /** the decision that led to the position on the board, or that is looked at again */
  readonly decision = $derived.by(() => {
    const ply = this.replay.shown?.ply ?? -1
    return this.again?.decision ?? this.data?.decisions.find((one) => one.ply === ply - 1) ?? null
  })
  /** moves that may be tried */
  readonly moves = $derived.by(() => (this.again && this.trying && !this.busy ? this.again.moves : []))
  /** the better move, where it is shown */
  readonly marked = $derived.by(() => (this.again && !this.trying && this.again.decision.best ? [this.again.decision.best] : []))

  /** Fetch the chances. */
  glance = async (): Promise<void> => {
    if (this.data) return
    try {
      this.data ??= await api.review(this.id, false)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Fetch the review, and what is new in it until it is done. */
  open = async (): Promise<void> => {
    if (this.#asked || this.data?.done) return
    this.#asked = true
    try {
      this.data = await api.review(this.id, true)
      let waited = 0
      while (!this.data.done) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
        const next: Review = waited > PATIENCE ? await api.review(this.id, true) : await api.reviewed(this.id)
        waited = next.decisions.length > this.data.decisions.length ? 0 : waited + 1
        this.data = next
      }
    } catch (error) {
      this.fail(error)
    } finally {
      this.#asked = false
    }
  }

  /** Go back to before a decision: to see the better move, or to look for one. */
  lookAgain = async (decision: ReviewedDecision, trying: boolean): Promise<void> => {
    try {
      const found = await api.reviewedDecision(this.id, decision.ply, decision.seat)
      await this.replay.go(decision.ply, decision.seat)
      this.trying = trying
      this.tried = null
      this.again = { decision, moves: found.moves, line: found.line }
    } catch (error) {
      this.fail(error)
    }
  }

  tryMove = async (id: number): Promise<void> => {
    const { again } = this
    const move = again?.moves.find((one) => one.id === id)
    if (!again || !move || this.busy) return
    this.busy = true
    try {
      this.tried = { move, verdict: await api.tryMove(this.id, again.decision.ply, id) }
    } catch (error) {
      this.fail(error)
    } finally {
      this.busy = false
    }
  }

  /** Leave the decision that is looked at again. */
  leave = (): void => {
    this.again = null
    this.trying = false
    this.tried = null
  }
}
