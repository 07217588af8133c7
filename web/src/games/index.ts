/**
 * The games that bring a folder of their own, found by its files. A game without one can still be played: the page shows the server's
 * drawing of it.
 */

import type { GameBook, GameCard, GameUi } from './contract'

const cards = import.meta.glob<{ default: GameCard }>('./*/card.ts', { eager: true })
const boards = import.meta.glob<{ default: GameUi }>('./*/index.ts')
const books = import.meta.glob<{ default: GameBook }>('./*/book.ts')

/** A game's picture and its place on the start page; undefined for a game without a folder. */
export function cardOf(name: string): GameCard | undefined {
  return cards[`./${name}/card.ts`]?.default
}

/** The games with a folder, in the order of the start page. */
export const DRAWN: readonly string[] = inOrder(Object.keys(cards).map((path) => path.split('/')[1] ?? ''))

/** Names of games in the order of the start page: those without a folder follow, as they come. */
export function inOrder(names: readonly string[]): string[] {
  const place = (name: string) => cardOf(name)?.order ?? Infinity
  return [...names].sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)))
}

/** Games in the order of the start page. */
export function gamesInOrder<Game extends { name: string }>(games: readonly Game[]): Game[] {
  const order = inOrder(games.map((game) => game.name))
  return [...games].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
}

/** A game's board and what lies around it. */
export async function loadGame(name: string): Promise<GameUi> {
  const load = boards[`./${name}/index.ts`] ?? (() => import('../table/drawing'))
  return (await load()).default
}

/** The pictures of a game's rule book; null for a game without any. */
export async function loadBook(name: string): Promise<GameBook | null> {
  return (await books[`./${name}/book.ts`]?.())?.default ?? null
}
