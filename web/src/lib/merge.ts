/** Merges news of a table into what the page already has. */

import type { ChatLine, EventInfo, TableView } from './api'

/** Return the known events without those that `news` takes back, and with those it adds. */
export function merged(known: readonly EventInfo[], news: Pick<TableView, 'from' | 'events'>): EventInfo[] {
  return news.from < 0 ? news.events : [...known.filter((event) => event.ply <= news.from), ...news.events]
}

export function heard(known: readonly ChatLine[], news: readonly ChatLine[]): ChatLine[] {
  const last = known.at(-1)?.number ?? -1
  return [...known, ...news.filter((line) => line.number > last)]
}
