/** Decisions of a seat, from one state of a table to the next. */

import type { TableView } from '$lib/api'

type Asked = Pick<TableView, 'seat' | 'ply' | 'pending' | 'moves'>

/** Whether the seat still owes the decision that it owed before: only others have decided meanwhile, of those who decide at the same time. */
export function sameDecision(before: Asked | null, after: Asked | null): boolean {
  if (!before || !after || before.seat === null || before.seat !== after.seat) return false
  const decided = before.pending.filter((seat) => !after.pending.includes(seat))
  return (
    after.pending.includes(before.seat) &&
    after.ply - before.ply === decided.length &&
    after.pending.length === before.pending.length - decided.length &&
    before.moves.map((move) => move.id).join() === after.moves.map((move) => move.id).join()
  )
}
