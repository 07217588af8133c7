/** The games the page can draw, each loaded when it is needed. */

import type { GameUi } from './contract'

const folders: Record<string, () => Promise<{ default: GameUi }>> = {
  targui: () => import('./targui'),
  tuareg: () => import('./tuareg'),
  timbuktu: () => import('./timbuktu'),
  targi: () => import('./targi'),
}

/** A game's board and hand; null for one that has none yet: it can still be played by the list of moves. */
export async function loadGame(name: string): Promise<GameUi | null> {
  return (await folders[name]?.())?.default ?? null
}
