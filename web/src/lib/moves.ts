/** Helpers for boards: from the list of legal moves to what may be clicked. */

import type { MoveInfo } from './api'

/** Legal moves of one kind by the value of an argument: `byArgument(moves, 'to', 'field').get(12)`. */
export function byArgument(moves: readonly MoveInfo[], name: string, argument: string): Map<number, MoveInfo> {
  const found = new Map<number, MoveInfo>()
  for (const move of moves) {
    const value = move.args[argument]
    if (move.name === name && value !== undefined) found.set(value, move)
  }
  return found
}

/** The only legal move of a kind without arguments. */
export function plain(moves: readonly MoveInfo[], name: string): MoveInfo | undefined {
  return moves.find((move) => move.name === name)
}

/** All values the moves of one kind offer for their only argument, rising. */
export function numbers(moves: readonly MoveInfo[], name: string): { value: number; move: MoveInfo }[] {
  return moves
    .filter((move) => move.name === name)
    .map((move) => ({ value: Object.values(move.args)[0] ?? 0, move }))
    .sort((a, b) => a.value - b.value)
}

/** A few useful values of a range: the ends, the middle, and those asked for. */
export function usefulMarks(values: readonly number[], wanted: readonly number[] = []): number[] {
  const first = values[0]
  const last = values.at(-1)
  if (first === undefined || last === undefined) return []
  const half = values[Math.floor((values.length - 1) / 2)] ?? first
  return [...new Set([first, ...wanted.filter((value) => values.includes(value)), half, last])].sort((a, b) => a - b).slice(0, 6)
}

/** The best place these moves have among what a hint recommends, from 1 on; 0: none. */
export function rankOf(hinted: readonly number[], ...moves: readonly (MoveInfo | undefined)[]): number {
  const ranks = moves.map((move) => (move ? hinted.indexOf(move.id) : -1)).filter((index) => index >= 0)
  return ranks.length ? Math.min(...ranks) + 1 : 0
}
