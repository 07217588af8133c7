/** The lines of a final scoring. */

import { t } from '$lib/i18n'
import type { ScoreLine } from '../games/contract'

/** Add what the lines lack to these totals, as a line of its own: a game that was given up has points not counted yet. */
export function addingUp(lines: readonly ScoreLine[], totals: readonly number[]): ScoreLine[] {
  const rest = totals.map((total, seat) => total - lines.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0))
  return rest.some((points) => points !== 0) ? [...lines, { text: t('score.standing'), points: rest }] : [...lines]
}
