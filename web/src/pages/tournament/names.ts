/** Entrants in words. */

import type { Tournament } from '$lib/api'
import { t } from '$lib/i18n'

export type Entrant = Tournament['entrants'][number]

/** Who takes part with this number; null: a computer player that fills a seat. */
export function nameOf(tournament: Tournament, number: number | null): string {
  const bots = tournament.entrants.filter((one) => !one.person).sort((one, other) => one.number - other.number)
  const entrant = tournament.entrants.find((one) => one.number === number)
  if (!entrant) return tournament.bot?.name ?? t('tournament.nobody')
  if (entrant.person) return entrant.name || t('tournament.nobody')
  return bots.length > 1 ? `${entrant.bot_name} ${bots.indexOf(entrant) + 1}` : (entrant.bot_name ?? '')
}

/** 1½ rather than 1.5. */
export function points(value: number): string {
  const whole = Math.floor(value)
  if (value - whole === 0.5) return `${whole || ''}½`
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}
