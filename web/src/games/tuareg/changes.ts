/** What events changed on the table of Tuareg: by the name of the spot, what came and what went. */

import type { EventInfo } from '$lib/api'

export function changes(events: readonly EventInfo[]): Map<string, number> {
  const found = new Map<string, number>()
  const add = (spot: string, count: number) => found.set(spot, (found.get(spot) ?? 0) + count)
  for (const { kind, args } of events) {
    const { seat = 0, good = 0, animal = 0, victim = 0, place = 0, number = 1, special = 0 } = args
    const beast = `animal-${seat}-${animal}`
    const hand = `hand-${seat}`
    if (kind === 'drew') add(hand, number)
    else if (kind === 'gave') {
      add(hand, -1)
      add(`market-${good}`, 1)
    } else if (kind === 'loaded') {
      add(hand, -1)
      add(beast, 1)
    } else if (kind === 'took') {
      add(`market-${good}`, -number)
      add(beast, number)
    } else if (kind === 'paid') add(place > 0 ? `animal-${seat}-${place - 1}` : hand, -1)
    else if (kind === 'bought') add(`stack-${special}`, -1)
    else if (kind === 'hid') add(hand, -1)
    else if (kind === 'hid_seen') add(beast, -1)
    else if (kind === 'stole') add(`hand-${victim}`, -1)
    else if (kind === 'stole_seen') add(`animal-${victim}-${animal}`, -1)
  }
  return found
}
