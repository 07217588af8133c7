import { usefulMarks } from '$lib/moves'
import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import Told from './Told.svelte'
import { scoring } from './scoring'
import type { TarguiView } from './view'

export default {
  Board,
  Beside,
  Player,
  Status,
  Told,
  scoring,
  buttons: ['strike', 'retreat', 'stay', 'done'],
  number: 'camels',
  marks: (values) => usefulMarks(values, [(values.at(-1) ?? 1) - 1, 5]), // all but one: the field stays held
  // an attack begins with a roll of the die
  reveals: (move, view: TarguiView) => {
    const field = move.args.field ?? 0
    return move.name === 'to' && (view.camels[field] ?? 0) > 0 && view.owner[field] !== view.owner[view.origin]
  },
  secrets: false,
} satisfies GameUi
