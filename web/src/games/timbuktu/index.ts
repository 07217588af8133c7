import type { GameUi } from '../contract'
import Beside from './Beside.svelte'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Icon from './Icon.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'

export default { Board, Hand, Beside, Player, Status, Icon, buttons: ['load', 'pay'], secrets: true } satisfies GameUi
