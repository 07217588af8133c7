/** The state of the table page: the live connection, what is shown of the table, and the person's actions. */

import {
  api,
  hint,
  usualBot,
  type EventInfo,
  type GameDetails,
  type HintMove,
  type LineStep,
  type MoveInfo,
  type TablePerson,
  type TableView,
} from '$lib/api'
import { say } from '$lib/explain.svelte'
import { failure } from '$lib/failure'
import { t } from '$lib/i18n'
import { LiveTable } from '$lib/live.svelte'
import { Playback, sinceDecision } from '$lib/playback.svelte'
import { ReplayState } from '$lib/replay.svelte'
import { router } from '$lib/router.svelte'
import { settings } from '$lib/settings.svelte'
import { Stage } from '$lib/stage.svelte'
import { toast } from '$lib/toasts.svelte'
import type { Ask, BoardActs, GameUi } from '../games/contract'
import { sameDecision } from './decision'
import { named, waitingFor } from './names'
import { ReviewState } from './review.svelte'

export class TableSession {
  readonly stage = new Stage()
  readonly live: LiveTable
  readonly playback: Playback
  readonly replay: ReplayState
  readonly review: ReviewState

  /** the board component, once it is drawn */
  board = $state<BoardActs | undefined>()
  ui = $state.raw<GameUi | null>(null)
  game = $state.raw<GameDetails | null>(null)
  /** the other people here, and what one wants of them */
  people = $state.raw<TablePerson[]>([])
  /** whether a request is under way */
  sending = $state(false)
  /** whether a hint is being worked out */
  thinking = $state(false)
  hints = $state.raw<readonly HintMove[]>([])
  /** whether the hint looked only a little ahead */
  quick = $state(false)
  /** an expected continuation on the board, and how many of its steps are shown */
  line = $state.raw<{ steps: readonly LineStep[]; shown: number } | null>(null)
  /** a move that waits to be confirmed, since it reveals something */
  unconfirmed = $state.raw<MoveInfo | null>(null)
  /** how many decisions were made on this page */
  decisions = $state(0)
  /** the table as it was when hints were looked at last */
  #decided: TableView | null = null
  /** the seat whose player holds a shared device: its secrets may be shown */
  uncovered = $state<number | null>(null)

  constructor(readonly id: string) {
    this.playback = new Playback(this.stage, (events, after) => this.#animate(events, after.view))
    this.live = new LiveTable(id, (view) => this.playback.push(view))
    this.replay = new ReplayState(id, () => this.table?.seat ?? null, this.stage, this.#animate, this.fail)
    this.review = new ReviewState(id, this.replay, () => this.mine, this.fail)
  }

  /** the table as it is drawn now */
  readonly table = $derived.by(() => {
    const shown = this.playback.shown
    return shown && { ...shown, seats: named(shown.seats, shown.status === 'imported') }
  })
  /** the chat without what people say whom one does not want to hear */
  readonly heard = $derived.by(() =>
    this.live.chat.filter((line) => !this.people.some((one) => one.muted && one.seat === line.seat)),
  )
  readonly past = $derived.by(() => this.replay.shown)
  readonly name = $derived.by(() => this.live.latest?.game)
  readonly mine = $derived.by(() => this.table?.seats.filter((seat) => seat.mine).map((seat) => seat.seat) ?? [])
  /** the names of the other people here, for whoever sits with them */
  readonly #company = $derived.by(() =>
    this.mine.length ? (this.table?.seats.flatMap((seat) => (!seat.mine && seat.name ? [seat.name] : [])).join() ?? '') : '',
  )
  readonly view = $derived.by(() => this.#imagined ?? this.past?.view ?? this.table?.view ?? null)
  /** the position after the steps of a line that are shown */
  readonly #imagined = $derived.by(() => (this.line?.shown ? (this.line.steps[this.line.shown - 1]?.view ?? null) : null))
  /** whether what is drawn is the present, so that the person may decide */
  readonly #present = $derived.by(
    () => this.table !== null && !this.past && !this.playback.busy && !this.sending && this.table.version >= this.live.version,
  )
  readonly moves = $derived.by(() => {
    if (this.#imagined) return []
    if (this.past) return this.review.trying ? this.review.moves : this.review.marked
    return this.#present ? (this.table?.moves ?? []) : []
  })
  readonly hinted = $derived.by(() => (this.past ? this.review.marked.map((one) => one.id) : this.hints.map((one) => one.id)))
  /** whether the device must be passed on before anything is shown */
  readonly covered = $derived.by(() => {
    const { ui, table } = this
    if (!ui || !table?.view || table.seat === null || table.status !== 'playing' || this.mine.length < 2) return false
    return table.seat !== this.uncovered && ui.secrets(table.view, table.seat)
  })
  /** the log, up to the position on the board and what is being told */
  readonly log = $derived.by(() => {
    const until = this.past?.ply ?? this.table?.ply ?? 0
    const known = this.live.events.filter((event) => event.ply <= until)
    return this.past ? known : [...known, ...this.playback.news.slice(0, this.stage.told)]
  })
  /** a move that somebody would like to take back, while one is asked about it */
  readonly proposal = $derived.by(() => {
    const proposal = this.table?.proposal
    return proposal?.needs.some((seat) => this.mine.includes(seat)) ? proposal : null
  })
  /** what happened since the person's last decision */
  readonly since = $derived.by(() => {
    const seat = this.table?.seat ?? null
    if (seat === null || this.past || this.playback.busy) return []
    return sinceDecision(this.log, seat, this.ui?.onward, this.ui?.turnEvent)
  })
  /** what is marked on the board: the turn being told, what a decision looked at did, or what is new since one's last decision */
  readonly recent = $derived.by(() => {
    if (this.past) return this.review.again ? [] : this.log.filter(({ ply }) => ply === this.past?.ply)
    if (this.playback.busy) return this.playback.marked
    return this.moves.length && this.table?.undo_to === null ? this.since : []
  })
  /** while pieces travel: what is going on, in words */
  readonly telling = $derived.by(() => {
    if (!this.playback.busy) return ''
    const events = this.playback.marked.length ? this.playback.marked : [this.stage.telling]
    const texts = events.flatMap((event) => (event?.text && (events.length === 1 || event.kind !== 'turn') ? [event.text] : []))
    return texts.map((text) => this.ui?.wording?.(text) ?? text).join(' ')
  })
  /** the latest lines of the log that tell more than whose turn it is, the oldest first */
  readonly lately = $derived.by(() => {
    const texts = this.log.slice(-30).flatMap(({ kind, text }) => (text && kind !== 'turn' ? [text] : []))
    return texts.slice(-5).map((text) => this.ui?.wording?.(text) ?? text)
  })
  /** the address of the server's drawing of the position on the board; the version makes it another one after moves are taken back */
  readonly drawing = $derived.by(() => {
    const table = this.table
    if (!table) return ''
    const seat = (this.past ?? table).seat
    const query = new URLSearchParams({
      ply: String(this.past?.ply ?? table.ply),
      theme: settings.night ? 'dark' : 'light',
      lang: table.language,
    })
    if (seat !== null) query.set('seat', String(seat))
    return `/api/tables/${encodeURIComponent(this.id)}/drawing?${query}#${table.version}`
  })
  /** people who play each other cannot take back what was revealed */
  readonly #careful = $derived.by(() => this.table?.seats.some((seat) => seat.kind === 'human' && !seat.mine) ?? false)

  #animate = async (events: readonly EventInfo[], after: TableView['view']): Promise<void> => {
    if (this.board?.animate && after) await this.board.animate(events, after)
    else await this.stage.each(events, async () => {})
  }

  /** Show once more what happened since the person's last decision. */
  again = async (): Promise<void> => {
    const table = this.table
    const first = this.since.find((event) => event.seat !== table?.seat) ?? this.since[0]
    if (!first || !table || this.sending) return
    const ply = first.ply - 1
    const fetch = async () => {
      const past = await api.past(this.id, ply, table.seat ?? undefined)
      return { ...table, ply, view: past.view, pending: past.pending, moves: [], result: null, status: 'playing' as const }
    }
    await this.playback.again(ply, fetch).catch(this.fail)
  }

  /** Learn who the other people here are, whenever these have changed. */
  meet(): void {
    if (this.#company)
      void api.tablePeople(this.id).then(
        (told) => (this.people = told),
        () => {},
      )
  }

  fail = (error: unknown): void => {
    toast(failure(error), 'bad')
  }

  /** Send a request and take in the answer, if that is a table; the answer to a command comes over the socket. */
  act = async (request: () => Promise<TableView | void>): Promise<void> => {
    this.sending = true
    try {
      const answer = await request()
      if (answer) this.live.answered(answer)
    } catch (error) {
      this.fail(error)
    } finally {
      this.sending = false
    }
  }

  /** Decide, or ask for confirmation first. */
  choose = (id: number): void => {
    const move =
      this.moves.find((one) => one.id === id) ?? (this.line ? this.table?.moves.find((one) => one.id === id) : undefined)
    if (!move) return
    if (this.past) {
      if (this.review.trying) void this.review.tryMove(id)
      return
    }
    this.line = null
    if (this.#careful && this.ui?.reveals?.(move, this.view)) this.unconfirmed = move
    else this.decide(id)
  }

  decide = (move: number): void => {
    if (!this.table || this.sending) return
    const { ply, version, seat } = this.table
    this.decisions += 1
    this.unconfirmed = null
    void this.act(() => this.live.command({ type: 'play', ply, move, version, seat }))
  }

  /** Say why something cannot be chosen. */
  ask: Ask =
    (...meant) =>
    (element) =>
      void this.#whyNot(meant).then((text) => text && say(element, text), this.fail)

  async #whyNot(meant: Parameters<Ask>): Promise<string> {
    const table = this.table
    if (!table || !this.#present || table.status !== 'playing' || table.seat === null) return ''
    if (!this.moves.length) return waitingFor(table)
    for (const [name, ...values] of meant) {
      const text = await api.reason(this.id, name, values, table.seat)
      if (text) return text
    }
    return t('table.not_now', { question: table.question ?? '' })
  }

  /** Drop hints and the move to confirm, unless the person still owes the same decision. */
  follow(): void {
    const before = this.#decided
    this.#decided = this.table
    if (!sameDecision(before, this.table)) this.forget()
  }

  /** Drop hints and the move to confirm. */
  forget = (): void => {
    this.hints = []
    this.line = null
    this.unconfirmed = null
  }

  /** Show so many steps of a line on the board. */
  showLine = (steps: readonly LineStep[], shown: number): void => {
    this.line = shown > 0 ? { steps, shown } : null
    this.stage.clear()
  }

  /** Go to a moment of the replay. */
  go = async (ply: number): Promise<void> => {
    this.line = null
    this.review.leave()
    await this.replay.go(ply)
  }

  /** Go back to the present. */
  leavePast = (): void => {
    this.line = null
    this.review.leave()
    this.replay.leave()
  }

  /** Open the review at the beginning of the game. */
  openReview = async (): Promise<void> => {
    await this.review.glance()
    void this.review.open()
    await this.go(this.review.data?.first ?? 0)
  }

  askHint = async (): Promise<void> => {
    this.thinking = true
    try {
      const before = this.table
      const found = await hint(this.id, before?.seat ?? undefined)
      if (sameDecision(before, this.table)) {
        this.hints = found.moves
        this.quick = found.quick
      }
    } catch (error) {
      this.fail(error)
    } finally {
      this.thinking = false
    }
  }

  /** A new table that goes on from an earlier position, against computer players. */
  playFrom = async (ply: number): Promise<void> => {
    const table = this.table
    if (!table) return
    try {
      const bot = usualBot(this.game ?? (await api.game(table.game)))
      const seats = table.seats.map((seat) =>
        seat.seat === (this.past?.pending[0] ?? 0) ? { kind: 'me' as const } : { kind: 'bot' as const, bot },
      )
      const made = await api.create({ game: table.game, seats, options: table.options, origin: { table: this.id, ply } })
      router.go(`/table/${made.id}`)
    } catch (error) {
      this.fail(error)
    }
  }

  rematch = async (): Promise<void> => {
    try {
      router.go(`/table/${(await api.rematch(this.id)).id}`)
    } catch (error) {
      this.fail(error)
    }
  }
}
