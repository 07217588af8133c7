/** Targi's view as the server sends it, its cards, and where they lie. */

import type { GameDetails, MoveInfo } from '$lib/api'
import { t } from '$lib/i18n'
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

/** How many goods the Trader takes, for gold and for another good. */
export function tradeOf(game: GameDetails): { for_gold: number; for_good: number } {
  return game.components.trader as { for_gold: number; for_good: number }
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

/** Where a tribe marker lies: where it hides neither what a card gives nor what it costs or does. */
export function markerAt(goods: readonly { gain: Gain }[], view: TargiView, place: number): Point {
  const [x, y] = corner(place)
  const gain = goods[view.centre[0]?.[place - CELLS] ?? -1]?.gain
  if (gain?.choice) return [x + 74, y + 114]
  return gain ? [x + 25, y + 114] : [x + 27, y + 56]
}

/** Where a short menu about a border place hides nothing of the line it looks along. */
export function besideLine(place: number): Point {
  const [column, row] = grid(place)
  const [x, y] = corner(place)
  if (row > 0 && row < 4) return [corner(CELLS)[0], y + CARD[1] + GAP]
  return [column < 3 ? x + CARD[0] + GAP : 0, corner(CELLS + 3)[1]]
}

export const isCorner = (place: number) => place < CELLS && place % 4 === 3

/** The border place that looks at this one across the centre; -1 for corners. */
export function facing(place: number): number {
  const [column, row] = grid(place)
  const [to, down] = row === 0 || row === 4 ? [column, 4 - row] : [4 - column, row]
  return isCorner(place) ? -1 : RING.findIndex(([x, y]) => x === to && y === down)
}

/** A line of light from a border place to the one that it looks at, as a path. */
export function ray(place: number): string {
  const [[x0, y0], [x1, y1]] = [middle(place), middle(facing(place))]
  return `M${x0} ${y0}L${x1} ${y1}`
}

/** The rim of a card, as a path. */
export function rim(place: number): string {
  const [x, y] = corner(place)
  return `M${x + 7} ${y}h${CARD[0] - 14}a7 7 0 0 1 7 7v${CARD[1] - 14}a7 7 0 0 1-7 7h${14 - CARD[0]}a7 7 0 0 1-7-7v${14 - CARD[1]}a7 7 0 0 1 7-7z`
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

/** What a card of the frame does, in whole sentences; its numbers come from the components. */
export function describeBorder(game: GameDetails, card: Border): string {
  const amount = (count: number, stuff: string) => t(`border.targi.${stuff}`, { n: count })
  if (card.action === 'goods') return t('border.targi.take', { good: word(game, 'single', card.good ?? '') })
  if (card.action === 'raid') {
    const what = card.gold ? amount(card.gold, 'gold') : amount(card.goods ?? 0, 'goods')
    return t('border.targi.raid', { what, crosses: amount(card.crosses ?? 0, 'crosses') })
  }
  if (card.action === 'silversmith') {
    const rates = game.components.silversmith as Record<'goods' | 'gold', Record<string, number>>
    const sales = (['goods', 'gold'] as const).flatMap((stuff) =>
      Object.entries(rates[stuff]).map(([count, crosses]) =>
        t('border.targi.sale', {
          what: amount(Number(count), stuff === 'goods' ? 'equal' : 'gold'),
          crosses: amount(crosses, 'crosses'),
        }),
      ),
    )
    return t('border.targi.silversmith', { sales: sales.join(', ') })
  }
  const { for_gold: gold, for_good: good } = tradeOf(game)
  return t(`border.targi.${card.action}`, { gold: amount(gold, 'equal'), good: amount(good, 'equal') })
}

export function describeTribe(game: GameDetails, card: Tribe): string {
  const some = (stuff: string, count: number) => `${count} × ${word(game, count === 1 ? 'single' : 'stuff', stuff)}`
  const goods = Object.entries(card.cost).map(([stuff, count]) => some(stuff, count))
  const price = card.or_gold ? t('targi.or', { price: goods.join(', '), gold: some('gold', card.or_gold) }) : goods.join(', ')
  const lines = [
    word(game, 'symbol', card.symbol),
    t('targi.worth', { crosses: t('targi.few_crosses', { n: card.crosses }), price }),
  ]
  const effect = word(game, 'effect', card.id)
  if (card.effect) lines.push(effect)
  return lines.join('\n')
}

/** What lies on a place, and what it is good for. */
export function describePlace(game: GameDetails, view: TargiView, place: number): string {
  const cards = cardsOf(game)
  const border = cards.border[place]
  if (border) return `${word(game, 'place', border.id)}\n${describeBorder(game, border)}`
  const [gain, tribe] = [view.centre[0]?.[place - CELLS] ?? -1, view.centre[1]?.[place - CELLS] ?? -1]
  const card = cards.tribe[tribe]
  if (gain >= 0) return word(game, 'goods_card', goodsCards(cards)[gain]?.id ?? '')
  if (card) return describeTribe(game, card)
  if (gain < -1) return word(game, 'terminal', 'goods_face_down')
  return word(game, 'terminal', tribe < -1 ? 'tribe_face_down' : 'bare')
}

/** How many equal goods the Trader takes for one thing: fewer for a good where a tribe card of the seat to decide allows it. */
export function goodsForTrade(game: GameDetails, view: TargiView, stuff: number): number {
  const { for_gold, for_good } = tradeOf(game)
  const laid = (view.display[view.seat] ?? []).flat().map((card) => cardsOf(game).tribe[card]?.effect)
  return STUFF[stuff] === 'gold' ? for_gold : laid.includes('even_trade') ? 1 : for_good
}

/** A choice between goods in a word, which stands below its picture. */
export function briefly(move: MoveInfo, game: GameDetails, view: TargiView): string {
  const { good, stuff, price, coin, prize } = move.args
  if (coin !== undefined) return t(coin ? 'targi.coin_stored' : 'targi.coin_own')
  if (price !== undefined) return word(game, 'price', ['goods', 'gold'][price] ?? '')
  if (prize !== undefined) return word(game, 'prize', ['goods', 'gold', 'cross'][prize] ?? '')
  if (move.name === 'give' && stuff !== undefined) {
    const raid = cardsOf(game).border[view.robber]
    if (STUFF[stuff] === 'cross') return t('targi.few_crosses', { n: raid?.crosses ?? 1 })
    if (STUFF[stuff] === 'gold') return t('border.targi.gold', { n: raid?.gold ?? 1 })
    const one = word(game, 'single', STUFF[stuff] ?? '')
    return view.phase === 'raid' && (raid?.goods ?? 0) > 1 ? t('targi.first', { good: one }) : one
  }
  return ['save', 'add', 'choose', 'drop'].includes(move.name) ? word(game, 'single', STUFF[good ?? stuff ?? 0] ?? '') : ''
}

/** The crosses that the Silversmith gives for so much of something. */
export function crossesFor(game: GameDetails, stuff: number, count: number): number {
  const rates = game.components.silversmith as Record<'goods' | 'gold', Record<string, number>>
  return rates[STUFF[stuff] === 'gold' ? 'gold' : 'goods'][String(count)] ?? 0
}

/** Where a card in hand is laid out from: by the Noble, or without him. */
export const [FROM_NOBLE, FROM_HAND] = [9, 11]

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
