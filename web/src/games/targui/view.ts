/** Targui's view as the server sends it, and where things lie on the board. */

import type { GameDetails } from '$lib/api'
import type { Point } from '$lib/stage.svelte'

export type { View as TarguiView } from './view.gen'

export const SIDE = 7
export const TILE = 100
export const MARGIN = 22
export const WIDTH = MARGIN + SIDE * TILE + 4

export const corner = (field: number): Point => [MARGIN + (field % SIDE) * TILE, MARGIN + Math.floor(field / SIDE) * TILE]
export const middle = (field: number): Point => {
  const [x, y] = corner(field)
  return [x + TILE / 2, y + TILE / 2]
}

/** A name from the game's words file. */
export function word(game: GameDetails, table: string, name: string | number): string {
  const found = game.words[table]
  return typeof found === 'object' ? (found[String(name)] ?? String(name)) : String(name)
}
