import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Icon from './Icon.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'
import Told from './Told.svelte'
import { scoring } from './scoring'

export default {
  Board,
  Hand,
  Beside,
  Player,
  Status,
  Icon,
  Told,
  scoring,
  buttons: ['load', 'pay'],
  secrets: true,
} satisfies GameUi
