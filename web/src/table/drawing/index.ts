/** How a game without a folder of its own is played: on the server's drawing of it. */

import type { GameUi } from '../../games/contract'
import DrawingBoard from './DrawingBoard.svelte'

export default {
  Board: DrawingBoard,
  buttons: [], // the board shows moves without a place itself: it alone knows which places are drawn
  secrets: () => true, // the page cannot know that there are none
} satisfies GameUi
