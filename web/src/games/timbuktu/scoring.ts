/** The points of Timbuktu: goods that arrived, each worth as many as were lost of its kind. */

import type { GameDetails } from '$lib/api'
import { capital, t } from '$lib/i18n'
import type { ScoreLine } from '../contract'
import { GOODS, word, type TimbuktuView } from './view'

export function scoring(view: TimbuktuView, game: GameDetails): ScoreLine[] {
  const seats = Array.from({ length: view.seats }, (_, seat) => seat)
  return GOODS.map((good, index) => {
    const worth = view.lost[index] ?? 0
    return {
      text: t('score.timbuktu.good', { good: capital(word(game, 'good', good)), n: worth }),
      art: good,
      points: seats.map((seat) => (view.kept[seat]?.[index] ?? 0) * worth),
      how: seats.map((seat) => `${view.kept[seat]?.[index] ?? 0} × ${worth}`),
    }
  })
}
