/** What the chart of win chances shows of an analysis. */

import type { GameAnalysis, HintMove } from '$lib/api'

type Ply = GameAnalysis['plies'][number]
/** A decision whose chosen move was analysed. */
export type KnownPly = Ply & { chosen: HintMove }

const NOISE = 0.04 // a smaller loss means nothing
const TURNING_POINTS = 3

/** Return the decisions that can be shown: the analysis may not have considered the chosen move, and then knows nothing of it. */
export function known(plies: readonly Ply[]): KnownPly[] {
  return plies.filter((one): one is KnownPly => (one.chosen as HintMove | null) !== null)
}

/** Return what a decision cost its maker, as a share of the chance to win. */
export function cost({ seat, chosen, best }: KnownPly): number {
  return (best.value[seat] ?? 0) - (chosen.value[seat] ?? 0)
}

/** Return the decisions that cost most. */
export function turningPoints(plies: readonly KnownPly[]): KnownPly[] {
  return plies
    .filter((one) => one.best.id !== one.chosen.id && cost(one) > NOISE)
    .sort((a, b) => cost(b) - cost(a))
    .slice(0, TURNING_POINTS)
}
