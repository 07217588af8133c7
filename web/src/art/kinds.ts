/** The kinds of things that are drawn. Names are those of the rules. */

export const GOODS = ['water', 'gold', 'salt', 'millet', 'pepper', 'coffee', 'dates'] as const
export type GoodKind = (typeof GOODS)[number]

export const PLAYERS = ['blue', 'red', 'green', 'yellow', 'violet'] as const
/** Targi's second player is white: a game of two needs no more to tell apart. */
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

export const SYMBOLS = ['oasis', 'rider', 'well', 'tent', 'targia'] as const
export type SymbolKind = (typeof SYMBOLS)[number]

export const TERRAINS = ['settlement', 'erg', 'guelta', 'mountain', 'saline', 'reg', 'feche', 'chott'] as const
export type TerrainKind = (typeof TERRAINS)[number]

export const PENS = ['palm', 'lamp', 'star', 'scimitar', 'moon'] as const
export type PenKind = (typeof PENS)[number]
