/** What events changed on the board of Targui, to be marked on it. */

import type { EventInfo } from '$lib/api'

/** with what the game goes on by itself after a decision, beside turns: fate, and the end of a round */
export const ONWARD: readonly string[] = ['fate', 'income', 'no_income']

export interface Changes {
  /** ways that camels went or fought along */
  ways: { seat: number; from: number; to: number; fight: boolean }[]
  /** camels that came to a field or went from it */
  camels: Map<number, number>
}

export function changes(events: readonly EventInfo[]): Changes {
  const ways = new Map<string, Changes['ways'][number]>()
  const camels = new Map<number, number>()
  const add = (field: number, count: number) => camels.set(field, (camels.get(field) ?? 0) + count)
  for (const { kind, args } of events) {
    const { seat = 0, origin = -1, field = -1, camels: count = 0 } = args
    if (kind === 'marched' || kind === 'attacked') {
      const way = `${origin} ${field}`
      ways.set(way, { seat, from: origin, to: field, fight: kind === 'attacked' || (ways.get(way)?.fight ?? false) })
    }
    if (kind === 'conquered') camels.delete(field) // what the loser lost there is gone with its owner
    if (kind === 'marched') {
      add(origin, -count)
      add(field, count)
    } else if (kind === 'bought' || kind === 'gained') add(field, count)
    else if (kind === 'struck' || kind === 'lost') add(field, -count)
  }
  return { ways: [...ways.values()], camels: new Map([...camels].filter(([, count]) => count !== 0)) }
}
