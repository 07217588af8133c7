/** What players are called on the page, and their colour. */

import { EMBLEMS, PLAYERS, type PlayerColour } from '$art/kinds'
import type { SeatInfo, TableView } from '$lib/api'
import { listed, t } from '$lib/i18n'

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

/** What a seat is shortly called towards the person who looks: You, unless several of the seats are theirs. */
export function addressOf(seat: SeatInfo, seats: readonly SeatInfo[]): string {
  return seat.mine && seats.filter((one) => one.mine).length === 1 ? t('table.seat.you') : shortName(seat)
}

/** A name for little room: namesakes are told apart by their colour alone. */
export function shortName(seat: SeatInfo): string {
  return nameOf(seat).split(' · ').at(-1) ?? ''
}

/** Make the seats' names unique: namesakes are named by colour, and so is whoever has none in a record from elsewhere. */
export function named(seats: readonly SeatInfo[], imported: boolean): SeatInfo[] {
  if (imported) seats = seats.map((seat) => (seat.kind === 'open' && !seat.name ? { ...seat, kind: 'human' } : seat))
  const several = seats.filter((seat) => seat.mine).length > 1
  return seats.map((seat) => {
    if (seat.kind === 'open' || !seat.colour) return seat
    const own = nameOf(seat)
    if (!seats.some((other) => other !== seat && nameOf(other) === own)) return seat
    return { ...seat, name: seat.mine && several ? seat.colour : `${own} · ${seat.colour}` }
  })
}

/** A question to the seat at whose place somebody is: people who share a device are asked by name. */
export function addressed(table: Pick<TableView, 'seat' | 'seats'>, question: string): string {
  const here = table.seats.filter((one) => one.mine)
  const asked = here.find((one) => one.seat === table.seat)
  return asked && here.length > 1 ? t('table.asks', { name: nameOf(asked), question }) : question
}

/** Whose decision others wait for, in words; empty where nobody else decides. */
export function waitingFor(table: Pick<TableView, 'pending' | 'seats'>): string {
  const others = table.seats.filter((seat) => table.pending.includes(seat.seat) && !seat.mine)
  const first = others[0]
  if (!first) return ''
  if (others.length > 1) return t('table.turn.others', { names: listed(others.map(nameOf)) })
  return t(first.kind === 'bot' ? 'table.turn.bot' : 'table.turn.other', { name: nameOf(first) })
}
