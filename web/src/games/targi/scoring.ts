/** The points of Targi: silver crosses, crosses on cards, rows, effects. */

import { t } from '$lib/i18n'
import type { ScoreLine } from '../contract'
import type { TargiView } from './view'

export function scoring(view: TargiView): ScoreLine[] {
  const points = view.notes.points
  return [
    { text: t('score.targi.crosses'), art: 'cross', points: points.map((one) => one.crosses) },
    { text: t('score.targi.cards'), art: 'cross', points: points.map((one) => one.cards) },
    { text: t('score.targi.rows'), points: points.map((one) => one.rows) },
    { text: t('score.targi.effects'), points: points.map((one) => one.effects) },
  ]
}
