/** The server's drawings: SVG whose parts are named by a domain and a value of the game, as moves name them. */

import type { GameDetails, MoveInfo } from '$lib/api'

export interface Drawing {
  /** the drawing's width and height in its own units */
  size: readonly [number, number]
  title: string
  /** what is drawn */
  content: readonly Node[]
  /** its colours */
  styles: string
}

/** Fetch a drawing; null where the game has none. */
export async function fetchDrawing(address: string, signal: AbortSignal): Promise<Drawing | null> {
  const answer = await fetch(address, { signal })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(answer.statusText)
  return readDrawing(await answer.text())
}

/** Read a drawing. Colours come apart, since the page's content security policy allows no style elements; scripts are left out. */
export function readDrawing(text: string): Drawing {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  if (root.nodeName !== 'svg') throw new Error('this is no drawing')
  const styles = [...root.querySelectorAll('style')].map((style) => style.textContent).join('\n')
  const title = root.querySelector('title')?.textContent ?? ''
  for (const element of root.querySelectorAll('style, title, script, foreignObject, a, use, image')) element.remove()
  for (const element of root.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (/^on|href|^style$/i.test(name)) element.removeAttribute(name)
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const content = [...root.childNodes].map((node) => document.importNode(node, true))
  return { size: [width, height], title, content, styles }
}

/** The parts a move is about: `field:12` for an argument of the domain `field`. */
export function partsOf(move: MoveInfo, game: Pick<GameDetails, 'moves'>): string[] {
  const domains = game.moves[move.name] ?? {}
  return Object.entries(move.args).map(([argument, value]) => `${domains[argument] ?? argument}:${value}`)
}

/** Legal moves by the part they are about, and those about nothing that is drawn. */
export function byPart(
  moves: readonly MoveInfo[],
  game: Pick<GameDetails, 'moves'>,
  drawn: ReadonlySet<string>,
): { placed: ReadonlyMap<string, MoveInfo[]>; unplaced: MoveInfo[] } {
  const placed = new Map<string, MoveInfo[]>()
  const unplaced: MoveInfo[] = []
  for (const move of moves) {
    const parts = [...new Set(partsOf(move, game))].filter((part) => drawn.has(part))
    if (parts.length === 0) unplaced.push(move)
    for (const part of parts) placed.set(part, [...(placed.get(part) ?? []), move])
  }
  return { placed, unplaced }
}
