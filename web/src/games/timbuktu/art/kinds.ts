/** The pens' signs, as the rules name them. */
export const PENS = ['palm', 'lamp', 'star', 'scimitar', 'moon'] as const
export type PenKind = (typeof PENS)[number]
