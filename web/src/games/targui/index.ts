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
  // an attack rolls a die, the end of a turn turns over the next card
  reveals: (move, view: TarguiView) =>
    move.name === 'done' ||
    move.name === 'strike' ||
    (move.name === 'to' && (view.camels[move.args.field ?? 0] ?? 0) > 0 && view.owner[move.args.field ?? 0] !== view.seat),
  secrets: false,
} satisfies GameUi
