/**
 * Playing by keyboard: arrow keys go from one thing that may be chosen to the nearest in that direction; with Shift they also go to
 * what cannot be chosen now, to ask about it.
 */

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** what may be chosen on a board, in a hand or beside it */
export const CHOICES = '.hit, button.lit, .rob, .held button, .menu button, .unplaced button'

/** what is not lit, but can be asked about */
const ASKED = '.target[tabindex="-1"], .spot[tabindex="-1"]'

export interface Place {
  x: number
  y: number
}

/** Return the index of the nearest place in a direction, or -1. Distance across the direction counts double. */
export function nearest(from: Place, places: readonly Place[], [dx, dy]: readonly [number, number]): number {
  let [best, found] = [Infinity, -1]
  places.forEach((place, index) => {
    const [along, aside] = [
      (place.x - from.x) * dx + (place.y - from.y) * dy,
      Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx),
    ]
    if (along > 1 && along + aside * 2 < best) [best, found] = [along + aside * 2, index]
  })
  return found
}

function middle(element: Element): Place {
  const box = element.getBoundingClientRect()
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 }
}

/** Handle an arrow key pressed on something that may be chosen or asked about; with Shift also where nothing has the focus. */
export function walk(event: KeyboardEvent): void {
  const direction = DIRECTIONS[event.key]
  const from = event.target as Element
  const nowhere = event.shiftKey && from === document.body
  if (!direction || !(nowhere || from.matches?.(`${CHOICES}, ${ASKED}`))) return
  const all = [...document.querySelectorAll<HTMLElement>(event.shiftKey ? `${CHOICES}, ${ASKED}` : CHOICES)].filter(
    (one) => one !== from && one.checkVisibility(),
  )
  const index = nowhere ? 0 : nearest(middle(from), all.map(middle), direction)
  event.preventDefault()
  all[index]?.focus()
}

/** Whether the person uses the keyboard: then the focus follows the game. */
let keyboard = false
addEventListener('keydown', (event) => (keyboard = keyboard || ['Enter', ' ', 'Tab'].includes(event.key)))
addEventListener('pointerdown', () => (keyboard = false))

/** If the focused choice has disappeared, focus the first new one; hints come first, the way on from a puzzle last. */
export function follow(): void {
  if (!keyboard || (document.activeElement && document.activeElement !== document.body)) return
  for (const wanted of ['.hints button', `${CHOICES}, .prompt input[type=range], .prompt .buttons button`, '.verdict .primary']) {
    const first = document.querySelector<HTMLElement>(wanted)
    if (first) return first.focus()
  }
}
