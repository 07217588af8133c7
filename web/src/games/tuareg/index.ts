import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import Told from './Told.svelte'
import { scoring } from './scoring'

export default {
  Board,
  Hand,
  Player,
  Status,
  Told,
  scoring,
  buttons: ['amount', 'done', 'end'],
  reveals: (move) => move.name === 'draw',
  secrets: true,
} satisfies GameUi
