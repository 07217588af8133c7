import { media } from '$lib/media.svelte'
import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import LogIcons from './LogIcons.svelte'
import MoveIcon from './MoveIcon.svelte'
import Player from './Player.svelte'
import SidePanel from './SidePanel.svelte'
import Status from './Status.svelte'
import { scoring } from './scoring'
import { briefly, isFromHand, type TargiView } from './view'

export default {
  Board,
  Hand,
  SidePanel,
  Player,
  Status,
  MoveIcon,
  LogIcons,
  scoring,
  // without the number of a tribe card; that of a place stays on the line of its name
  wording: (text) => text.replace(/ T\d\d\b/g, '').replace(/ (?=\(\d+\))/g, '\u00a0'),
  buttons: [
    'price',
    'save',
    'add',
    'coin',
    'choose',
    'prize',
    'trade',
    'sell',
    'drop',
    'give',
    'play',
    'keep',
    'discard',
    'done',
  ],
  // a card is played from where it lies, except one just drawn, or from the hand where that lies in a narrow column
  isButton: (move, view: TargiView) =>
    !['play', 'keep', 'discard'].includes(move.name) || view.phase === 'drawn' || (media.wide && isFromHand(move)),
  pictured: ['trade', 'sell'],
  brief: briefly,
  // the Caravan turns over a goods card, the Tribal Expansion a tribe card
  reveals: (move) => move.name === 'use' && [12, 13].includes(move.args.place ?? -1),
  ownHeight: 222,
  slender: true,
  // a card in hand that the other has not seen
  secrets: (view: TargiView, seat) => (view.hand[seat] ?? -1) >= 0 && (view.hand_secret[seat] ?? 0) > 0,
  guide: { opening: ['placing'] },
} satisfies GameUi
