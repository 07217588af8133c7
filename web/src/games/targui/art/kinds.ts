/** The terrains, as the rules name them. */
export const TERRAINS = ['settlement', 'erg', 'guelta', 'mountain', 'saline', 'reg', 'feche', 'chott'] as const
export type TerrainKind = (typeof TERRAINS)[number]
