/** Taking in what is new at a table. */

import type { ChatLine, EventInfo, TableView } from './api'

/** Events known so far, with what `news` takes back and adds. */
export function merged(known: readonly EventInfo[], news: Pick<TableView, 'from' | 'events'>): EventInfo[] {
  return news.from < 0 ? news.events : [...known.filter((event) => event.ply <= news.from), ...news.events]
}

export function heard(known: readonly ChatLine[], news: readonly ChatLine[]): ChatLine[] {
  const last = known.at(-1)?.number ?? -1
  return [...known, ...news.filter((line) => line.number > last)]
}
