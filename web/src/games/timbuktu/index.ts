import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import LogIcons from './LogIcons.svelte'
import MoveIcon from './MoveIcon.svelte'
import Player from './Player.svelte'
import SidePanel from './SidePanel.svelte'
import Status from './Status.svelte'
import { scoring } from './scoring'
import { GOODS, word, type TimbuktuView } from './view'

export default {
  Board,
  Hand,
  SidePanel,
  Player,
  Status,
  MoveIcon,
  LogIcons,
  scoring,
  buttons: ['load', 'pay'],
  buttonRow: 'never',
  brief: (move, game) => word(game, 'good', GOODS[move.args.good ?? 0] ?? ''),
  ownHeight: 172,
  turnEvent: 'revealed',
  onward: ['struck'],
  // all is open until the first thieves are dealt, except while goods are loaded in secret
  secrets: (view: TimbuktuView) => view.phase === 'loading' || view.notes.sets.length > 0,
  guide: { opening: ['placing'] },
} satisfies GameUi
