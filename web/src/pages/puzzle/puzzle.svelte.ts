/** A puzzle on the board: what is asked, an answer and what it was worth, the solution and its line. */

import {
  ApiError,
  api,
  type GameDetails,
  type MoveInfo,
  type PuzzleFilter,
  type PuzzlePosition,
  type PuzzleScore,
  type PuzzleVerdict,
  type SeatInfo,
} from '$lib/api'
import { failure } from '$lib/failure'
import { say } from '$lib/explain.svelte'
import { t } from '$lib/i18n'
import { router } from '$lib/router.svelte'
import { settings } from '$lib/settings.svelte'
import { play } from '$lib/sound'
import { Stage } from '$lib/stage.svelte'
import { toast } from '$lib/toasts.svelte'
import type { Ask, GameUi } from '../../games/contract'

/** what a seat has at a table, and not in a puzzle */
const SEAT = {
  kind: 'human',
  name: '',
  bot: null,
  bot_name: null,
  free: false,
  connected: true,
  resigned: null,
  clock: null,
  away_until: null,
  claimable: false,
} as const satisfies Partial<SeatInfo>

/** what a table has, and a puzzle has not */
const TABLE = {
  status: 'playing',
  result: null,
  undo_to: null,
  take_back_to: null,
  take_back_needs: [],
  proposal: null,
  hints: false,
  time: 0,
  rated: false,
  substitute: { bot: '', name: '' },
} as const

export interface Answer {
  /** null: the solution was asked for */
  move: MoveInfo | null
  verdict: PuzzleVerdict
}

export class PuzzleState {
  readonly stage = new Stage()
  ui = $state.raw<GameUi | null>(null)
  game = $state.raw<GameDetails | null>(null)
  puzzle = $state.raw<PuzzlePosition | null>(null)
  /** there is no such puzzle */
  gone = $state(false)
  answer = $state.raw<Answer | null>(null)
  score = $state.raw<PuzzleScore | null>(null)
  /** how many steps of the line are shown */
  step = $state(0)
  sending = $state(false)

  constructor(readonly id: string) {}

  readonly solution = $derived.by(() => this.answer?.verdict.solution ?? null)
  readonly line = $derived.by(() => this.solution?.line ?? [])
  readonly view = $derived.by(() => this.line[this.step - 1]?.view ?? this.puzzle?.view ?? null)
  /** what is lit: all moves, or those that solve it */
  readonly moves = $derived.by(() => {
    if (this.sending || this.step > 0) return []
    return this.solution?.moves ?? this.puzzle?.moves ?? []
  })
  readonly hinted = $derived.by(() => (this.solution?.moves ?? []).map((one) => one.id))
  readonly drawing = $derived.by(() => api.puzzleDrawing(this.id, settings.night))
  /** the puzzle as the frame of tables shows it */
  readonly table = $derived.by(() => {
    const { puzzle, view } = this
    if (!puzzle) return null
    const seats: SeatInfo[] = puzzle.seats.map((seat) => ({
      ...SEAT,
      ...seat,
      mine: seat.seat === puzzle.seat,
      pending: puzzle.pending.includes(seat.seat),
    }))
    return { ...TABLE, take_back_needs: [], seats, seat: puzzle.seat, pending: puzzle.pending, question: puzzle.question, view }
  })
  /** the score in this game */
  readonly rating = $derived.by(() => this.score?.ratings.find((one) => one.game === this.puzzle?.game) ?? null)

  load = async (): Promise<void> => {
    try {
      const puzzle = await api.puzzle(this.id)
      this.puzzle = puzzle
      this.score ??= puzzle.score
      this.game = await api.game(puzzle.game)
      if (this.answer && this.solution) this.answer = { ...this.answer, verdict: await this.#retold(this.answer.verdict) }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.gone = true
      else this.fail(error)
    }
  }

  /** The same verdict with its solution in the language now chosen. */
  async #retold(verdict: PuzzleVerdict): Promise<PuzzleVerdict> {
    return { ...verdict, solution: (await api.solvePuzzle(this.id)).solution }
  }

  fail = (error: unknown): void => {
    toast(failure(error), 'bad')
  }

  /** Answer with a move. Once the solution is shown, it begins its line. */
  choose = (id: number): void => {
    if (this.solution) {
      this.show(1)
      return
    }
    const move = this.moves.find((one) => one.id === id)
    if (move) void this.#settle(move, () => api.answerPuzzle(this.id, id))
  }

  /** Say why something cannot be chosen. */
  ask: Ask =
    (...meant) =>
    (element) =>
      void this.#whyNot(meant).then((text) => text && say(element, text), this.fail)

  async #whyNot(meant: Parameters<Ask>): Promise<string> {
    if (!this.puzzle || this.solution) return ''
    for (const [name, ...values] of meant) {
      const text = await api.puzzleReason(this.id, name, values)
      if (text) return text
    }
    return t('table.not_now', { question: this.puzzle.question ?? '' })
  }

  solve = (): void => void this.#settle(null, () => api.solvePuzzle(this.id))

  async #settle(move: MoveInfo | null, ask: () => Promise<PuzzleVerdict>): Promise<void> {
    if (this.sending) return
    this.sending = true
    try {
      const verdict = await ask()
      this.answer = { move, verdict }
      this.score = verdict.score
      this.step = 0
      play(verdict.right ? 'end' : 'turn')
    } catch (error) {
      this.fail(error)
    } finally {
      this.sending = false
    }
  }

  /** Forget the answer and look for the move once more. */
  again = (): void => {
    this.answer = null
    this.show(0)
  }

  /** Show so many steps of the line on the board. */
  show = (step: number): void => {
    this.step = Math.min(step, this.line.length)
    this.stage.clear()
  }

  /** Go to another puzzle of the kind that the address names. */
  next = async (): Promise<void> => {
    try {
      const wanted = filterOf(location.search)
      const game = wanted.all ? {} : { game: this.puzzle?.game }
      const { id } = await api.nextPuzzle({ ...game, ...wanted.kind, last: this.id })
      router.go(`/puzzle/${id}${location.search}`)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no_such_puzzle') router.go('/puzzles')
      else this.fail(error)
    }
  }
}

type Kind = Pick<PuzzleFilter, 'theme' | 'level'>

/** Return which kind of puzzles an address asks for. `all`: of all games. */
export function filterOf(search: string): { all: boolean; kind: Kind } {
  const wanted = new URLSearchParams(search)
  const level = (['easy', 'medium', 'hard'] as const).find((one) => one === wanted.get('level'))
  const theme = wanted.get('theme')
  return { all: wanted.has('all'), kind: { ...(theme ? { theme } : {}), ...(level ? { level } : {}) } }
}
