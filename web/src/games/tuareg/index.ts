import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import LogIcons from './LogIcons.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import { scoring } from './scoring'
import type { TuaregView } from './view'

export default {
  Board,
  Hand,
  Player,
  Status,
  LogIcons,
  scoring,
  buttons: ['amount', 'done', 'end'],
  reveals: (move) => move.name === 'draw',
  buttonRow: 'high',
  ownHeight: 196,
  // the hand, and what lies in caves and under thieves
  secrets: (view: TuaregView, seat) =>
    (view.hand_size[seat] ?? 0) > 0 ||
    (view.notes.hidden[seat] ?? 0) > 0 ||
    view.loot_owner.slice(0, view.loot_count).includes(seat),
  guide: {},
} satisfies GameUi
