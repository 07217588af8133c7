import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import LogIcons from './LogIcons.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import { scoring } from './scoring'

export default {
  Board,
  Hand,
  Player,
  Status,
  LogIcons,
  scoring,
  buttons: ['amount', 'done', 'end'],
  reveals: (move) => move.name === 'draw',
  buttonRow: false,
  ownHeight: 196,
  secrets: true,
  guide: {},
} satisfies GameUi
