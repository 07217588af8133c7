/** The kinds of things that are drawn. Names are those of the rules. */

export const GOODS = ['water', 'gold', 'salt', 'millet', 'pepper', 'coffee', 'dates'] as const
export type GoodKind = (typeof GOODS)[number]

export const PLAYERS = ['blue', 'red', 'green', 'yellow', 'violet'] as const
/** White is for games of two: it needs no more to tell apart. */
export type PlayerColour = (typeof PLAYERS)[number] | 'white'

/** Every player's emblem, always drawn with the colour. */
export const EMBLEMS = {
  blue: 'crescent',
  red: 'sun',
  green: 'palm',
  yellow: 'star',
  violet: 'tent',
  white: 'sun',
} as const satisfies Record<PlayerColour, string>
export type EmblemKind = (typeof EMBLEMS)[PlayerColour]
