/** The last income of Targui, told by kinds of land. */

import type { GameDetails } from '$lib/api'
import { capital, has, t } from '$lib/i18n'
import type { ScoreLine } from '../contract'
import { fieldsOf, word, type TarguiView } from './view'

export function scoring(view: TarguiView, game: GameDetails): ScoreLine[] {
  const seats = view.silver.map((_, seat) => seat)
  const fields = fieldsOf(view)
  const areas = [...new Set(fields.map((field) => field.area))]
  const lines = areas.map((area): ScoreLine & { worth: number } => {
    const counts = seats.map((seat) => fields.filter((f, at) => f.area === area && view.owner[at] === seat).length)
    const worth = fields.find((field) => field.area === area)?.economic ?? 0
    return {
      text: has(`score.targui.${area}`) ? t(`score.targui.${area}`) : capital(word(game, 'area', area)),
      worth,
      points: counts.map((count) => count * worth),
      how: counts.map((count) => (count ? `${count} × ${worth}` : '')),
    }
  })
  const lost = seats.map((seat) => view.owner[view.home[seat] ?? -1] !== seat)
  const earned = seats.map((seat) => lines.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0))
  return [
    ...lines.filter((line) => line.points.some((points) => points > 0)).sort((a, b) => b.worth - a.worth),
    ...(lost.some((gone, seat) => gone && (earned[seat] ?? 0) > 0)
      ? [{ text: t('score.targui.lost'), points: seats.map((seat) => (lost[seat] ? -(earned[seat] ?? 0) : 0)) }]
      : []),
  ]
}
