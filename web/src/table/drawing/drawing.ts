/** The server's drawings: SVG whose parts are named as moves name them, by a domain of the game and a label. */

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
  const answer = await fetch(address, { signal, cache: 'no-store' })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(answer.statusText)
  return readDrawing(await answer.text())
}

/** Read a drawing; scripts are left out. Colours come apart, since the page's content security policy allows no style elements. */
export function readDrawing(text: string): Drawing {
  const styles: string[] = []
  const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, style: string) => {
    styles.push(style)
    return ''
  })
  const root = new DOMParser().parseFromString(bare, 'image/svg+xml').documentElement
  if (root.nodeName !== 'svg') throw new Error('this is no drawing')
  const title = root.querySelector('title')?.textContent ?? ''
  for (const element of root.querySelectorAll('style, title, script, foreignObject, a, use, image')) element.remove()
  for (const element of root.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (/^on|href|^style$/i.test(name)) element.removeAttribute(name)
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const content = [...root.childNodes].map((node) => document.importNode(node, true))
  return { size: [width, height], title, content, styles: styles.join('\n') }
}

/** The parts a move is about: `field:c4` for `to c4`. A move's text is its name and the labels of its arguments. */
export function partsOf(move: MoveInfo, game: Pick<GameDetails, 'moves'>): string[] {
  const labels = move.text.split(' ').slice(1)
  return Object.values(game.moves[move.name] ?? {}).map((domain, index) => `${domain}:${labels[index]}`)
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
