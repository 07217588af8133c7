/** Targui's view as the server sends it, and where things lie on the board. */

import type { GameDetails } from '$lib/api'
import type { Point } from '$lib/stage.svelte'
import type { View as TarguiView } from './view.gen'

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

/** An arrow from one tile to its neighbour, across their border. */
export function arrow(from: number, to: number): string {
  const [[x0, y0], [x1, y1]] = [middle(from), middle(to)]
  const length = Math.hypot(x1 - x0, y1 - y0)
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length]
  // across a corner it is short: values and the number of camels lie there
  const [a, b] = length > TILE ? [length * 0.45, length * 0.6] : [length * 0.3, length * 0.62]
  const at = (along: number, aside: number) =>
    `${(x0 + ux * along - uy * aside).toFixed(1)} ${(y0 + uy * along + ux * aside).toFixed(1)}`
  return `M${at(a, 4)}L${at(b - 12, 4)}L${at(b - 12, 11)}L${at(b, 0)}L${at(b - 12, -11)}L${at(b - 12, -4)}L${at(a, -4)}Z`
}

export type Field = TarguiView['notes']['areas'][number] & { field: string }

/** Every field: its name, its area, and what that counts now. */
export function fieldsOf(view: TarguiView): Field[] {
  const unknown = { area: '', strategic: 0, economic: 0 }
  return view.terrain.map((area, field) => ({
    field: `${'abcdefg'[field % SIDE]}${Math.floor(field / SIDE) + 1}`,
    ...(view.notes.areas[area] ?? unknown),
  }))
}

/** The one field that camels from `field` attack as soon as they march, since no other way is open to them; -1: there is none. */
export function onlyPrey(view: TarguiView, field: number): number {
  const [column, row] = [field % SIDE, Math.floor(field / SIDE)]
  const ways = fieldsOf(view).flatMap((there, other) => {
    const away = Math.max(Math.abs((other % SIDE) - column), Math.abs(Math.floor(other / SIDE) - row))
    return away === 1 && there.area !== 'chott' ? [other] : []
  })
  const only = ways.length === 1 ? (ways[0] ?? -1) : -1
  return only >= 0 && (view.camels[only] ?? 0) > 0 && view.owner[only] !== view.owner[field] ? only : -1
}

/** A name from the game's words file. */
export function word(game: GameDetails, table: string, name: string | number): string {
  const found = game.words[table]
  return typeof found === 'object' ? (found[String(name)] ?? String(name)) : String(name)
}
