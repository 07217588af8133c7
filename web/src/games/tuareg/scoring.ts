/** The points of Tuareg: eight majorities and the special cards, as they were told when they were scored. */

import type { EventInfo, GameDetails } from '$lib/api'
import { t } from '$lib/i18n'
import type { ScoreLine } from '../contract'
import { GOODS, word, type TuaregView } from './view'

export function scoring(view: TuaregView, game: GameDetails, events: readonly EventInfo[]): ScoreLine[] {
  const none = () => Array.from({ length: view.seats }, () => 0)
  const lines = new Map<string, ScoreLine & { points: number[]; how: string[] }>()
  let stage = 1
  for (const { kind, args } of events) {
    if (kind === 'stage_over') stage = args.number ?? stage
    if (kind !== 'majority' && kind !== 'shared' && kind !== 'specials') continue
    const good = kind === 'specials' ? undefined : GOODS[args.good ?? 0]
    const name = good ? `${stage} ${good}` : 'specials'
    const line = lines.get(name) ?? {
      text: good ? t('score.tuareg.majority', { good: word(game, 'good', good), stage }) : t('score.tuareg.specials'),
      art: good ?? 'point',
      points: none(),
      how: none().map(() => ''),
    }
    line.points[args.seat ?? 0] = args.points ?? 0
    if (good) line.how[args.seat ?? 0] = `${args.number} →`
    lines.set(name, line)
  }
  return [...lines.values()]
}
