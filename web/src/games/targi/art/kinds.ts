/** The tribes' symbols, as the rules name them. */
export const SYMBOLS = ['oasis', 'rider', 'well', 'tent', 'targia'] as const
export type SymbolKind = (typeof SYMBOLS)[number]
