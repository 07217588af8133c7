import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Icon from './Icon.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import Told from './Told.svelte'
import { scoring } from './scoring'
import type { TargiView } from './view'

export default {
  Board,
  Hand,
  Beside,
  Player,
  Status,
  Icon,
  Told,
  scoring,
  wording: (text) => text.replace(/ T\d\d\b/g, ''), // the number of a tribe card
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
  // a card is played from where it lies, except one just drawn
  isButton: (move, view: TargiView) => !['play', 'keep', 'discard'].includes(move.name) || view.phase === 'drawn',
  pictured: ['trade'],
  secrets: true,
} satisfies GameUi
