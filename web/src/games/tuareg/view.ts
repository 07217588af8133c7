/** Tuareg's view as the server sends it. */

import type { GoodKind } from '$art/kinds'
import type { GameDetails } from '$lib/api'

import type { View as TuaregView } from './view.gen'

export type { View as TuaregView } from './view.gen'

export const GOODS = ['water', 'gold', 'salt', 'millet'] as const satisfies readonly GoodKind[]
export const MOST_CAMELS = 3

interface Parts {
  goods: Record<string, { copies: number; dinar: number; points: number }>
  specials: Record<string, { points: number }>
  players: Record<string, { camels: number }>
  play: { price: number }
}

export function parts(game: GameDetails): Parts {
  return game.components as unknown as Parts
}

export interface Animal {
  number: number
  kind: 'camel' | 'donkey'
  load: GoodKind[]
  /** what may be laid on top now */
  fits: GoodKind[]
}

/** The animals of a seat: its camels, then its donkeys, which are numbered from 3 on. */
export function animals(view: TuaregView, game: GameDetails, seat: number): Animal[] {
  const camels = parts(game).players[String(view.seats)]?.camels ?? 2
  const numbers = [...Array(camels).keys(), ...Array.from({ length: view.donkeys[seat] ?? 0 }, (_, index) => MOST_CAMELS + index)]
  return numbers.map((number) => ({
    number,
    kind: number < MOST_CAMELS ? 'camel' : 'donkey',
    load: (view.load[seat]?.[number] ?? []).filter((good) => good >= 0).map((good) => GOODS[good] ?? 'salt'),
    fits: (view.notes.fits?.[seat]?.[number] ?? []).map((good) => GOODS[good] ?? 'salt'),
  }))
}

/** Whether a stage's last round is being played: it begins after the turn that has emptied the deck. */
export function isLastRound(view: TuaregView): boolean {
  return view.over === null && view.deck_size === 0 && view.turns_left < view.seats
}

export function word(game: GameDetails, table: string, name: string | number): string {
  const found = game.words[table]
  return typeof found === 'object' ? (found[String(name)] ?? String(name)) : String(name)
}

/** A special card with goods in it or under it, and those the viewer knows. */
export interface Stash {
  holds: number
  known: GoodKind[]
}

/** The caves of a seat. Which good lies in which of them has no meaning: those that are known fill the fullest first. */
export function inCaves(view: TuaregView, seat: number): Stash[] {
  const known = GOODS.flatMap((kind, good) =>
    Array<GoodKind>(Math.max(0, view.cave_goods[seat]?.[good] ?? 0) + (view.cave_seen[seat]?.[good] ?? 0)).fill(kind),
  )
  const caves = [2, 1, 0].flatMap((holds) => Array<number>(view.caves[seat]?.[holds] ?? 0).fill(holds))
  return caves.map((holds) => ({ holds, known: known.splice(0, holds) }))
}

/** The thieves of a seat: those that have stolen, then those that wait. */
export function underThieves(view: TuaregView, seat: number): Stash[] {
  const loot = view.loot_good.slice(0, view.loot_count).flatMap((good, index): Stash[] => {
    const kind = GOODS[good]
    return view.loot_owner[index] === seat ? [{ holds: 1, known: kind ? [kind] : [] }] : []
  })
  return [...loot, ...Array.from({ length: view.thieves[seat] ?? 0 }, (): Stash => ({ holds: 0, known: [] }))]
}

/** "2 × gold, 1 × salt". */
export function counted(game: GameDetails, goods: readonly GoodKind[]): string {
  const kinds = GOODS.filter((kind) => goods.includes(kind))
  return kinds.map((kind) => `${goods.filter((one) => one === kind).length} × ${word(game, 'good', kind)}`).join(', ')
}

export function animalName(game: GameDetails, number: number): string {
  return word(game, 'animal', number < MOST_CAMELS ? `camel${number + 1}` : `donkey${number - MOST_CAMELS + 1}`)
}
