/** What is read out of a game's review. */

import type { Review, ReviewedDecision } from '$lib/api'

export const GRADES = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const
export type Grade = (typeof GRADES)[number]

/** signs of grades, as players write them; the best and good moves have none */
export const SIGNS: Readonly<Record<Grade, string>> = { best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' }

/** Return whether a decision gave away enough to be looked at again. */
export const isMistake = (one: ReviewedDecision): boolean => SIGNS[one.grade] !== ''

/** Return everybody's chances at a ply in a view: that of a seat, or of all-knowing eyes. */
export function chancesAt(review: Review, ply: number, view: number): readonly number[] {
  const moment = review.chances[Math.min(Math.max(ply - review.first, 0), review.chances.length - 1)]
  return moment?.[view] ?? []
}

/** Return chances as whole percents that add up to 100: who loses most by rounding down gets what is left. */
export function percents(chances: readonly number[]): number[] {
  const whole = chances.map((chance) => Math.floor(chance * 100 + 1e-6))
  const left = Math.round(chances.reduce((sum, chance) => sum + chance, 0) * 100) - whole.reduce((sum, n) => sum + n, 0)
  const order = chances.map((chance, seat) => ({ seat, rest: chance * 100 - (whole[seat] ?? 0) })).sort((a, b) => b.rest - a.rest)
  for (const { seat } of order.slice(0, Math.max(0, left))) whole[seat] = (whole[seat] ?? 0) + 1
  return whole
}

/** Return a change as whole percents with its sign; what rounds to nothing has none. */
export function signed(change: number): string {
  const whole = Math.round(change * 100)
  return `${whole > 0 ? '+' : whole < 0 ? '−' : ''}${Math.abs(whole)} %`
}

/** Return the path of a seat's chances in a chart of this size. */
export function chanceLine(review: Review, seat: number, view: number, width: number, height: number): string {
  const last = Math.max(1, review.chances.length - 1)
  return review.chances
    .map((moment, k) => {
      const chance = moment[view]?.[seat] ?? 0
      return `${k ? 'L' : 'M'}${((k / last) * width).toFixed(1)} ${(height - chance * height).toFixed(1)}`
    })
    .join('')
}

/** Return whose chance luck changed most at the decision of a ply, by how much and what it was. */
export function luckAt(review: Review, ply: number): { seat: number; change: number; cause: string | null } | null {
  const found = review.luck.find((one) => one.ply === ply)
  if (!found) return null
  const size = Math.max(...found.change.map(Math.abs))
  const seat = found.change.findIndex((one) => Math.abs(one) === size)
  return { seat, change: found.change[seat] ?? 0, cause: found.cause }
}

/** Return the mistakes of some seats in the order of the game. */
export const mistakesOf = (review: Review, seats: readonly number[]): ReviewedDecision[] =>
  review.decisions.filter((one) => seats.includes(one.seat) && isMistake(one))
