/** Targui's view as the server sends it, and where things lie on the board. */

import type { GameDetails } from '$lib/api'
import type { Point } from '$lib/stage.svelte'
import type { TerrainKind } from './art/kinds'

export interface TarguiView {
  phase: string
  seats: number
  seat: number
  pending: number[]
  owner: number[]
  camels: number[]
  home: number[]
  silver: number[]
  herd: number[]
  economy: number[]
  box: number
  round_no: number
  die: number
  pack: number[]
  fate_waits: number
  fate: number
  again: number
  origin: number
  target: number
  notes: {
    fields: { field: string; area: TerrainKind; strategic: number; economic: number }[]
    alive: boolean[]
    rounds: number
    cards_left: number
    fates_left: number[]
  }
}

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
