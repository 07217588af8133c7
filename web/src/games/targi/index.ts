import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Icon from './Icon.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import type { TargiView } from './view'

export default {
  Board,
  Beside,
  Player,
  Status,
  Icon,
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
  secrets: true,
} satisfies GameUi
