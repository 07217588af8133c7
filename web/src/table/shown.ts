/** What parts of the frame need of a table: a puzzle has it, too. */

import type { TableView } from '$lib/api'

/** for the prompt */
export type AskingTable = Pick<
  TableView,
  | 'status'
  | 'result'
  | 'question'
  | 'view'
  | 'seat'
  | 'seats'
  | 'pending'
  | 'undo_to'
  | 'take_back_to'
  | 'take_back_needs'
  | 'proposal'
  | 'hints'
> &
  Partial<Pick<TableView, 'changes'>>

/** for the row of players */
export type SeatedTable = Pick<TableView, 'seats' | 'status' | 'time' | 'view' | 'rated' | 'substitute'>
