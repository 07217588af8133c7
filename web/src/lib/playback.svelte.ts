/** Shows one change of a table after the other: what happened first, then the position it led to. */

import type { EventInfo, TableView } from './api'
import type { Stage } from './stage.svelte'

export type Animate = (events: readonly EventInfo[], after: TableView) => Promise<void>

const MANY = 8 // with more events waiting, of several turns, a turn is shown at once
const TOO_MANY = 24 // with more plies at once, the page shows the present, and marks what has changed
const KEPT = 200 // positions kept to show them again

export class Playback {
  /** the table as it is drawn now */
  shown = $state.raw<TableView | null>(null)
  busy = $state(false)
  /** the events of the change that is being shown */
  news = $state.raw<readonly EventInfo[]>([])
  /** a turn shown at once: its events are marked on the position after it */
  marked = $state.raw<readonly EventInfo[]>([])
  #queue: TableView[] = []
  #history: TableView[] = []
  #again = false

  constructor(
    private readonly stage: Stage,
    private readonly animate: Animate,
  ) {}

  /** A new view has come. */
  push(view: TableView): void {
    this.#queue.push(view)
    const known = this.#history.at(-1)
    if (known && (known.language !== view.language || known.seat !== view.seat)) this.#history = []
    this.#history = [...this.#history.filter((one) => one.ply < view.ply), view].slice(-KEPT)
    if (!this.busy) void this.#run()
  }

  /** Show the present now. */
  skip(): void {
    this.stage.skip()
  }

  /** Show once more all that happened after a ply; `fetch` brings the position there if the page no longer has it. */
  async again(ply: number, fetch: () => Promise<TableView>): Promise<void> {
    if (this.busy || !this.shown) return
    const first = this.#history.findLastIndex((view) => view.ply <= ply)
    const views = first >= 0 ? this.#history.slice(first) : [await fetch(), this.shown]
    if (this.busy) return
    this.shown = views[0] ?? this.shown
    this.#queue.unshift(...views.slice(1))
    this.#again = true
    await this.#run()
  }

  async #run(): Promise<void> {
    this.busy = true
    try {
      for (let view = this.#queue.shift(); view; view = this.#queue.shift()) {
        const news = this.shown ? newEvents(this.shown, view, this.#again) : []
        if (!news.length || document.hidden) this.shown = view
        else if (!this.#again && isLate(this.#queue)) await this.#condense(news, view)
        else await this.#play(news, view)
        this.stage.clear()
      }
    } finally {
      this.busy = false
      this.#again = false
      this.stage.resume()
    }
  }

  /** Let the board show what happened on the position before it. */
  async #play(news: readonly EventInfo[], view: TableView): Promise<void> {
    const own = news.every((event) => event.seat === null || event.seat === view.seat)
    this.stage.begin(Math.min(1, Math.max(0.45, 14 / news.length)), own)
    this.news = news
    await this.animate(news, view).catch((error: unknown) => console.error(error))
    this.shown = view
    this.news = []
  }

  /** Show the whole turn at once, by marks on the position after it, long enough to be read. */
  async #condense(news: readonly EventInfo[], view: TableView): Promise<void> {
    let [last, events] = [view, news]
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const more = newEvents(last, next)
      if (more.some((event) => event.seat !== null && event.seat !== news.at(-1)?.seat)) break
      last = next
      events = [...events, ...more]
      this.#queue.shift()
    }
    this.stage.begin(1, false)
    this.shown = last
    this.marked = events
    this.stage.tell(events)
    await this.stage.pause(Math.min(2400, 700 + 250 * events.filter((event) => event.text).length))
    this.marked = []
  }
}

/** Whether so much waits that turns are shown at once. */
function isLate(queue: readonly TableView[]): boolean {
  const events = queue.flatMap((view) => view.events)
  const turns = events.filter((event, index) => event.seat !== events[index - 1]?.seat).length
  return turns > 2 && events.length > MANY
}

/** Return the events between two views that the page should animate; `all`: however many. */
export function newEvents(before: TableView, after: TableView, all = false): EventInfo[] {
  if (after.ply <= before.ply || (!all && after.ply - before.ply > TOO_MANY) || before.status === 'waiting') return []
  if (!all && after.from >= 0 && after.from < before.ply) return []
  return after.events.filter((event) => event.ply > before.ply)
}

/**
 * Return what happened since the last decision of a seat. With it the game may have gone on by itself: the turn of another
 * has begun, or an event of a kind in `onward` has come.
 */
export function sinceDecision(
  events: readonly EventInfo[],
  seat: number,
  onward: readonly string[] = [],
  begins = 'turn',
): EventInfo[] {
  const last = events.findLastIndex((event) => event.seat === seat)
  const ply = events[last]?.ply
  const goesOn = ({ kind, args }: EventInfo) => onward.includes(kind) || (kind === begins && args.seat !== seat)
  const first = events.findIndex((event) => event.ply === ply && goesOn(event))
  return events.slice(first >= 0 ? first : last + 1).filter((event) => event.seat !== null)
}
