/** Targi's view as the server sends it, its cards, and where they lie. */

import type { GameDetails, MoveInfo } from '$lib/api'
import type { Point } from '$lib/stage.svelte'
import type { Border } from './art/BorderCard.svelte'
import type { Gain } from './art/GainCard.svelte'
import type { Tribe } from './art/TribeCard.svelte'

import type { View as TargiView } from './view.gen'

export type { View as TargiView } from './view.gen'

export const STUFF = ['dates', 'salt', 'pepper', 'gold', 'cross'] as const

export interface Cards {
  border: Border[]
  goods: { id: string; gain: Gain; copies: number }[]
  tribe: Tribe[]
}

export function cardsOf(game: GameDetails): Cards {
  return game.components.cards as Cards
}

/** The goods cards one by one, as they are numbered in the view. */
export function goodsCards(cards: Cards): { id: string; gain: Gain }[] {
  return cards.goods.flatMap((card) => Array.from({ length: card.copies }, () => card))
}

// ---------------------------------------------------------------- the frame: places 0 to 15 clockwise, then the nine cells

export const CARD: Point = [100, 140]
export const GAP = 6
export const MARGIN = 8
export const WIDTH = MARGIN * 2 + 5 * CARD[0] + 4 * GAP
export const HEIGHT = MARGIN * 2 + 5 * CARD[1] + 4 * GAP
export const CELLS = 16

const RING: readonly Point[] = [
  [1, 0],
  [2, 0],
  [3, 0],
  [4, 0],
  [4, 1],
  [4, 2],
  [4, 3],
  [4, 4],
  [3, 4],
  [2, 4],
  [1, 4],
  [0, 4],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
]

/** Column and row of a place. */
export function grid(place: number): Point {
  const cell = place - CELLS
  return cell < 0 ? (RING[place] ?? [0, 0]) : [1 + (cell % 3), 1 + Math.floor(cell / 3)]
}

export function corner(place: number): Point {
  const [column, row] = grid(place)
  return [MARGIN + column * (CARD[0] + GAP), MARGIN + row * (CARD[1] + GAP)]
}

export function middle(place: number): Point {
  const [x, y] = corner(place)
  return [x + CARD[0] / 2, y + CARD[1] / 2]
}

export const isCorner = (place: number) => place < CELLS && place % 4 === 3

/** The border place that looks at this one across the centre; -1 for corners. */
export function facing(place: number): number {
  const [column, row] = grid(place)
  const [to, down] = row === 0 || row === 4 ? [column, 4 - row] : [4 - column, row]
  return isCorner(place) ? -1 : RING.findIndex(([x, y]) => x === to && y === down)
}

/** The cells a border place looks upon. */
export function line(place: number): number[] {
  if (place < 0 || place >= CELLS || isCorner(place)) return []
  const [column, row] = grid(place)
  return [0, 1, 2].map((step) => CELLS + (row === 0 || row === 4 ? step * 3 + column - 1 : (row - 1) * 3 + step))
}

/** The cells where lines of these border places cross: what markers will lie on. */
export function crossings(places: readonly number[]): number[] {
  const found = new Set<number>()
  for (const one of places)
    for (const other of places) {
      if (one >= other || facing(one) === other) continue
      for (const cell of line(one)) if (line(other).includes(cell)) found.add(cell)
    }
  return [...found]
}

export function word(game: GameDetails, table: string, name: string | number): string {
  const found = game.words[table]
  return typeof found === 'object' ? (found[String(name)] ?? String(name)) : String(name)
}

export function describeTribe(game: GameDetails, card: Tribe): string {
  const price = Object.entries(card.cost).map(
    ([stuff, count]) => `${count} × ${word(game, count === 1 ? 'single' : 'stuff', stuff)}`,
  )
  const lines = [
    word(game, 'symbol', card.symbol),
    `${card.crosses} ✚ · ${price.join(', ')}${card.or_gold ? ` / ${card.or_gold} × ${word(game, 'stuff', 'gold')}` : ''}`,
  ]
  const effect = word(game, 'effect', card.id)
  if (card.effect) lines.push(effect)
  return lines.join('\n')
}

/** How many equal goods the Trader takes for one thing: fewer for a good where a tribe card of the seat to decide allows it. */
export function goodsForTrade(game: GameDetails, view: TargiView, stuff: number): number {
  const { for_gold, for_good } = game.components.trader as { for_gold: number; for_good: number }
  const laid = (view.display[view.seat] ?? []).flat().map((card) => cardsOf(game).tribe[card]?.effect)
  return STUFF[stuff] === 'gold' ? for_gold : laid.includes('even_trade') ? 1 : for_good
}

/** Whether a move is about the card in one's hand: its origin comes after the nine cards in the centre. */
export function isFromHand(move: MoveInfo): boolean {
  return (move.name === 'play' || move.name === 'discard') && (move.args.origin ?? 0) >= 9
}

/** The rearrangement that exchanges two places; the server names each only in one direction. */
export function shiftBetween(shifts: readonly MoveInfo[], one: number, other: number): MoveInfo | undefined {
  return (
    shifts.find((move) => move.args.slot === one && move.args.target === other) ??
    shifts.find((move) => move.args.slot === other && move.args.target === one)
  )
}
