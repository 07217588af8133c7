/** With whom one plays at a table, in words. */

import type { TableSummary } from '$lib/api'
import { listed, t } from '$lib/i18n'

export function company(table: TableSummary): string {
  const others = table.seats.filter((seat) => !seat.mine)
  const people = others.flatMap((seat) => (seat.kind === 'human' && seat.name ? [seat.name] : []))
  const bots = others.filter((seat) => seat.kind === 'bot').length
  const open = others.filter((seat) => seat.kind === 'open').length
  const all = [...people, ...(bots ? [t('start.computers', { n: bots })] : []), ...(open ? [t('start.open', { n: open })] : [])]
  return all.length ? t('start.with', { names: listed(all) }) : ''
}

/** The names of all others: people, and computer players by their level, "2 × Trader" where two are alike. */
export function opponents(table: TableSummary): string[] {
  const names = table.seats.flatMap((seat) => (seat.mine || seat.kind === 'open' ? [] : [seat.name || seat.bot_name || '']))
  const times = (name: string) => names.filter((one) => one === name).length
  return [...new Set(names)].map((name) => (times(name) > 1 ? t('games.several', { n: times(name), name }) : name))
}
