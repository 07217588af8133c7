/** The camel one is about to place: chosen among the own camels, placed on the board. */

export const picked = $state<{ camel: number | null }>({ camel: null })
