/** Shows one change of a table after the other: what happened first, then the position it led to. */

import type { EventInfo, TableView } from './api'
import type { Stage } from './stage.svelte'

export type Animate = (events: readonly EventInfo[], after: TableView) => Promise<void>

const LATE = 12 // with more views waiting, the page skips their animations to catch up
const TOO_MANY = 24 // with more plies at once, the page shows the present without animating them

export class Playback {
  /** the table as it is drawn now */
  shown = $state.raw<TableView | null>(null)
  busy = $state(false)
  #queue: TableView[] = []

  constructor(
    private readonly stage: Stage,
    private readonly animate: Animate,
  ) {}

  /** A new view has come. */
  push(view: TableView): void {
    this.#queue.push(view)
    if (!this.busy) void this.#run()
  }

  /** Show the present now. */
  skip(): void {
    this.stage.skip()
  }

  async #run(): Promise<void> {
    this.busy = true
    try {
      for (let view = this.#queue.shift(); view; view = this.#queue.shift()) {
        const before = this.shown
        const news = before ? newEvents(before, view) : []
        const late = this.#queue.length > LATE
        if (news.length && !late && !document.hidden)
          await this.animate(news, view).catch((error: unknown) => console.error(error))
        this.shown = view
        this.stage.clear()
      }
    } finally {
      this.busy = false
      this.stage.resume()
    }
  }
}

/** Return the events between two views that the page should animate. */
export function newEvents(before: TableView, after: TableView): EventInfo[] {
  if (after.ply <= before.ply || after.ply - before.ply > TOO_MANY || before.status === 'waiting') return []
  if (after.from >= 0 && after.from < before.ply) return []
  return after.events.filter((event) => event.ply > before.ply)
}
