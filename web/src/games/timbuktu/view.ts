/** Timbuktu's view as the server sends it, and where stalls lie: pens in rows on a wide screen, in columns on a phone. */

import type { GoodKind } from '$art/kinds'
import type { GameDetails } from '$lib/api'
import type { Point } from '$lib/stage.svelte'

import type { View as TimbuktuView } from './view.gen'

export type { ThiefSet, View as TimbuktuView } from './view.gen'

export const GOODS = ['gold', 'coffee', 'pepper', 'salt', 'water'] as const satisfies readonly GoodKind[]
export const PEN_COUNT = 5
export const STALL_COUNT = 5
export const LETTERS = 'ABCDEFGH'

interface Parts {
  caravan: { letters: string; camels: Record<string, number> }
  route: { oases: string[]; stages: Record<string, number[]>; arrows: Record<string, string[]> }
  pens: { names: string[] }
  thieves: { stall_cards: [number, number][]; goods_cards: [string, string][] }
}

export function parts(game: GameDetails): Parts {
  return game.components as unknown as Parts
}

/** A camel and where it stands; `there`: where the camels go. */
export interface Standing {
  seat: number
  camel: number
  there: boolean
  pen: number
  stall: number
}

/** Whether a camel has left for the next oasis in this stage; at the start: whether it stands. */
export function hasMoved(view: TimbuktuView, seat: number, camel: number): boolean {
  return ((view.used[seat] ?? 0) >> camel) % 2 === 1
}

/** Where the camels set out from, and where they go: the index of the oasis among those of this game; -1 the start. */
export function isStart(view: TimbuktuView): boolean {
  return view.phase === 'placing' || view.phase === 'loading'
}

/** The stall a camel entering a pen would get. */
export function nextStall(view: TimbuktuView, pen: number): number {
  return view.filled[pen] ?? 0
}

/** All camels that stand somewhere. */
export function camelsOf(view: TimbuktuView): Standing[] {
  return view.place.slice(0, view.seats).flatMap((camels, seat) =>
    camels.flatMap((place, camel) => {
      if (place < 0) return []
      const there = !isStart(view) && hasMoved(view, seat, camel)
      return [{ seat, camel, there, pen: Math.floor(place / STALL_COUNT), stall: place % STALL_COUNT }]
    }),
  )
}

// ---------------------------------------------------------------- geometry

export interface Layout {
  width: number
  height: number
  /** size of a stall, and of a courtyard with its walls: `there` is where the camels go */
  stall: (there: boolean) => Point
  court: (there: boolean) => Point
  corner: (there: boolean) => Point
  at: (there: boolean, pen: number, stall: number) => Point
  sign: (there: boolean, pen: number) => Point
  /** both ends of the way from a pen to a pen */
  way: (from: number, to: number) => readonly [Point, Point]
}

/** The road from left to right: pens are rows. */
export const WIDE: Layout = (() => {
  const [w, h, gap, wall, sign, road] = [80, 122, 5, 14, 42, 100]
  const width = wall * 2 + sign + STALL_COUNT * w
  const height = wall * 2 + PEN_COUNT * (h + gap) - gap
  const left = (there: boolean) => 12 + (there ? width + road : 0)
  const top = 50
  const row = (pen: number) => top + wall + pen * (h + gap)
  return {
    width: 24 + width * 2 + road,
    height: top + height + 20,
    stall: () => [w, h],
    court: () => [width, height],
    corner: (there) => [left(there), top],
    at: (there, pen, stall) => [left(there) + wall + sign + stall * w, row(pen)],
    sign: (there, pen) => [left(there) + wall + 4, row(pen) + h / 2 - 17],
    way: (from, to) => [
      [left(false) + width + 6, row(from) + h / 2],
      [left(true) - 6, row(to) + h / 2],
    ],
  }
})()

/** The road from bottom to top: pens are columns; `near` is the height of the stalls the camels leave. */
function upright(near: number): Layout {
  const [w, h, gap, wall, sign, road] = [76, 50, 4, 9, 36, 40]
  const width = wall * 2 + PEN_COUNT * (w + gap) - gap
  const height = (there: boolean) => wall * 2 + sign + STALL_COUNT * (there ? h : near)
  const top = (there: boolean) => 16 + (there ? 0 : height(true) + road)
  const left = 6
  const column = (pen: number) => left + wall + pen * (w + gap)
  return {
    width: left * 2 + width,
    height: 16 + height(true) + road + height(false) + 6,
    stall: (there) => [w, there ? h : near],
    court: (there) => [width, height(there)],
    corner: (there) => [left, top(there)],
    // the first stall is the one nearest to the road
    at: (there, pen, stall) => [
      column(pen),
      there ? top(true) + wall + (STALL_COUNT - 1 - stall) * h : top(false) + wall + sign + stall * near,
    ],
    sign: (there, pen) => [column(pen) + w / 2 - 16, there ? top(true) + wall + STALL_COUNT * h + 4 : top(false) + wall - 2],
    way: (from, to) => [
      [column(from) + w / 2, top(false) - 4],
      [column(to) + w / 2, top(true) + height(true) + 4],
    ],
  }
}

export const TALL = upright(38) // the stalls left behind need less room
export const TALL_START = upright(58)

/** The oases that a game with so many players comes through. */
export function routeOf(view: TimbuktuView, game: GameDetails): string[] {
  const { oases, stages } = parts(game).route
  return (stages[String(view.seats)] ?? []).map((number) => oases[number - 1] ?? '')
}

/** By pen, the pens to which the way is free. */
export function arrowsOf(game: GameDetails): number[][] {
  const { names } = parts(game).pens
  return names.map((name) => (parts(game).route.arrows[name] ?? []).map((target) => names.indexOf(target)))
}

/** Of the pens open to a camel about to go, those to which it pays a good: off the arrows, if it carries something. */
export function tollsOf(view: TimbuktuView, game: GameDetails, camel: Standing | undefined, open: readonly number[]): number[] {
  if (!camel || camel.there || !view.load[camel.seat]?.[camel.camel]?.some((count) => count > 0)) return []
  const free = arrowsOf(game)[camel.pen] ?? []
  return open.filter((pen) => !free.includes(pen))
}

/** How many of a camel's goods thieves take from it in a stall on average, by what the viewer knows; `pays`: once it has paid
    the way there with the good most in danger. */
export function expectedLoss(view: TimbuktuView, { seat, camel }: Standing, pen: number, stall: number, pays: boolean): number {
  const load = view.load[seat]?.[camel] ?? []
  const chances = GOODS.map((_, good) => view.notes.stolen[pen]?.[stall]?.[good] ?? 0)
  const paid = pays ? Math.max(0, ...chances.filter((_, good) => (load[good] ?? 0) > 0)) : 0
  return chances.reduce((sum, chance, good) => sum + (load[good] ?? 0) * chance, -paid)
}

export function word(game: GameDetails, table: string, name: string | number): string {
  const found = game.words[table]
  return typeof found === 'object' ? (found[String(name)] ?? String(name)) : String(name)
}
