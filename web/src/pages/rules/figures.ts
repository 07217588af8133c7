/** Where the pictures of the rule books stand: the books have the same headings in every language. */

import type { Key } from '$lib/i18n'

/** By game and number of the heading. */
const places: Record<string, Record<number, string>> = {
  targui: { 1: 'desert', 3: 'pack', 6: 'fight', 9: 'fate' },
  tuareg: { 1: 'goods', 5: 'load', 6: 'market', 8: 'specials' },
  timbuktu: { 1: 'caravan', 3: 'cards', 4: 'way', 5: 'theft' },
  targi: { 1: 'frame', 4: 'lines', 8: 'tribe', 9: 'raids' },
}

/** The picture after the heading with this number, by the key of its caption. */
export function figureAt(game: string, heading: number): Key | undefined {
  const name = places[game]?.[heading]
  return name === undefined ? undefined : (`figure.${game}.${name}` as Key)
}
