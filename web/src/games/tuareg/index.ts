import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import LogIcons from './LogIcons.svelte'
import MoveIcon from './MoveIcon.svelte'
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
  MoveIcon,
  scoring,
  buttons: ['amount', 'done', 'end'],
  pictured: ['amount'],
  reveals: (move) => move.name === 'draw',
  buttonRow: 'high',
  ownHeight: 196,
  // the hand, what came from it into caves, and what was stolen from a hand: thief and victim know it
  secrets: (view: TuaregView, seat) =>
    (view.hand_size[seat] ?? 0) > 0 ||
    (view.cave_goods[seat] ?? []).some((count) => count > 0) ||
    view.loot_good.slice(0, view.loot_count).some((good, index) => good >= 0 && !view.loot_seen[index]),
  guide: {},
} satisfies GameUi
