/** What players are called on the page, and their colour. */

import { EMBLEMS, PLAYERS, type PlayerColour } from '$art/kinds'
import type { SeatInfo } from '$lib/api'
import { t } from '$lib/i18n'

/** A seat's colour; before the game begins, by its number. */
export function colourOf(seat: Pick<SeatInfo, 'label' | 'seat'>): PlayerColour {
  const label = seat.label ?? ''
  return label in EMBLEMS ? (label as PlayerColour) : (PLAYERS[seat.seat % PLAYERS.length] ?? 'blue')
}

export function nameOf(seat: SeatInfo): string {
  if (seat.kind === 'open') return seat.name ? t('table.seat.kept', { name: seat.name }) : t('table.seat.open')
  if (seat.kind === 'bot') return seat.name || seat.bot_name || t('table.seat.computer')
  return seat.name || seat.colour || t('table.seat.you')
}

/** Make the seats' names unique: seats held by one person, and namesakes, are named by colour. */
export function named(seats: readonly SeatInfo[]): SeatInfo[] {
  const several = seats.filter((seat) => seat.mine).length > 1
  return seats.map((seat) => {
    if (seat.kind === 'open' || !seat.colour) return seat
    if (seat.mine && several) return { ...seat, name: seat.colour }
    const own = nameOf(seat)
    return seats.some((other) => other !== seat && nameOf(other) === own) ? { ...seat, name: `${own} · ${seat.colour}` } : seat
  })
}
