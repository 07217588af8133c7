import { usefulMarks } from '$lib/moves'
import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'

export default {
  Board,
  Beside,
  Player,
  Status,
  buttons: ['strike', 'retreat', 'stay', 'done'],
  number: 'camels',
  marks: (values) => usefulMarks(values, [(values.at(-1) ?? 1) - 1, 5]), // all but one: the field stays held
  secrets: false,
} satisfies GameUi
