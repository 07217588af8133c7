/** Times in words, in the language of the page. */

import { settings } from '../settings.svelte'
import { t } from './index'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const unitOf = (milliseconds: number) => UNITS.find(([, size]) => milliseconds >= 2 * size) ?? UNITS[2]

/** "3 hours"; less than a minute counts as one. */
export function duration(milliseconds: number): string {
  const [unit, size] = unitOf(milliseconds)
  const count = Math.max(1, Math.round(milliseconds / size))
  return new Intl.NumberFormat(settings.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** "3 hours ago" */
export function ago(time: number, now: number): string {
  if (now - time < UNITS[2][1]) return t('games.moment')
  const [unit, size] = unitOf(now - time)
  return new Intl.RelativeTimeFormat(settings.language).format(-Math.floor((now - time) / size), unit)
}

/** "3 May 2026" */
export function day(time: number): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: 'medium' }).format(time)
}
