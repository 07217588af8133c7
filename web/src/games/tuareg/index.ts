import type { GameUi } from '../contract'
import Board from './Board.svelte'
import Hand from './Hand.svelte'
import Player from './Player.svelte'
import Status from './Status.svelte'

export default { Board, Hand, Player, Status, buttons: ['amount', 'done', 'end'], secrets: true } satisfies GameUi
