/**
 * What a game's folder gives the page, and what it is given.
 *
 * `src/games/<name>/` is found by its files: `card.ts` (a `GameCard`, loaded with the start page), `index.ts` (a `GameUi`, loaded when a
 * table of the game is opened) and `book.ts` (a `GameBook`, loaded with the rules). All may be missing.
 * The frame (src/table) does everything that is the same in all games: the question, buttons for moves that have no place on the board,
 * a slider for numbers, the list of all moves for the keyboard, back, hint, log, chat, players. The board draws the position, lights
 * what may be clicked, calls `choose`, and shows events as travelling pieces.
 */

import type { Component } from 'svelte'
import type { TokenKind } from '$art/Tokens.svelte'
import type { GoodKind } from '$art/kinds'
import type { EventInfo, GameDetails, MoveInfo, SeatInfo, View } from '$lib/api'
import type { Stage } from '$lib/stage.svelte'

/** A game on the start page. */
export interface GameCard {
  /** its picture, 480 by 320 */
  Cover: Component
  /** its place among the games, smallest first */
  order: number
}

export type Ask = (...meant: (readonly [name: string, ...values: number[]])[]) => (element: Element) => void

export interface BoardProps<V = View> {
  /** the position as this viewer may know it */
  view: V
  /** names, words and components of the game */
  game: GameDetails
  seats: readonly SeatInfo[]
  /** the seat that views the position; null: a spectator */
  seat: number | null
  /** what may be chosen now; empty while others decide and while pieces travel */
  moves: readonly MoveInfo[]
  /** moves that a hint recommends, best first; `rankOf` gives a target its number */
  hinted: readonly number[]
  /** what happened lately, to be marked on the position: where something came, went or changed */
  recent: readonly EventInfo[]
  /** make this decision */
  choose: (id: number) => void
  /** for a click on what is not lit: says why not, given the moves that were meant, as their kinds and arguments */
  ask: Ask
  /** where travelling pieces are drawn; see Travellers.svelte */
  stage: Stage
  /** a number the slider is set to, while one is asked for */
  number: number | null
  /** the address of the server's drawing of this position */
  drawing: string
}

/** What a board component may export beside drawing itself. */
export interface BoardActs {
  /** Show what happened, on the position before it, by `stage.each`; `after` is the position it led to. */
  animate?: (events: readonly EventInfo[], after: View) => Promise<void>
}

export interface PlayerProps<V = View> {
  view: V
  game: GameDetails
  seat: SeatInfo
}

/** One line of the scoring: what it was for, and what each seat got. */
export interface ScoreLine {
  text: string
  art?: GoodKind | TokenKind
  points: readonly number[]
  /** how it came about, per seat: "4 × 7" */
  how?: readonly string[]
}

export interface GameUi {
  // A board narrows `view` to its own shape, so the frame cannot know the exact component type.
  Board: Component<BoardProps<any>, BoardActs>
  /** the viewer's own things, at the bottom within reach of the thumb */
  Hand?: Component<BoardProps<any>>
  /** what lies beside the board: on a wide screen in the left column, on a phone below the hand */
  SidePanel?: Component<BoardProps<any>>
  /** what is public about a player, in the row of players */
  Player?: Component<PlayerProps<any>>
  /** how far the game has come, in one line */
  Status?: Component<{ view: any; game: GameDetails }>
  /** small pictures for a line of the log */
  LogIcons?: Component<{ event: EventInfo; game: GameDetails }>
  /** a line of the log as the page shows it: codes that the terminal needs go */
  wording?: (text: string) => string
  /** the kind of event with which a player's turn begins; missing: `turn` */
  turnEvent?: string
  /** the final points line by line; lines add up to the result */
  scoring?: (view: any, game: GameDetails, events: readonly EventInfo[]) => ScoreLine[]
  /** moves that show something hidden or throw dice: people who play each other are asked once more */
  reveals?: (move: MoveInfo, view: any) => boolean
  /** kinds of moves that have no place on the board; the frame makes them buttons, in this order */
  buttons: readonly string[]
  /** when a phone keeps room for a row of them, even if there are none: never, on a high screen; missing: always */
  buttonRow?: 'never' | 'high'
  /** where not all moves of such a kind are buttons: which are */
  isButton?: (move: MoveInfo, view: any) => boolean
  /** a picture for such a button */
  MoveIcon?: Component<{ move: MoveInfo; game: GameDetails; view: any }>
  /** kinds of moves whose picture says everything: their buttons show it alone, words come on hovering */
  pictured?: readonly string[]
  /** fewer words for such a button where there is little room, below its picture: what the question does not say already */
  brief?: (move: MoveInfo, game: GameDetails, view: any) => string
  /** the kind of move that is a number, chosen by slider; its only argument is the number */
  number?: string
  /** useful values for the slider, given all possible ones */
  marks?: (values: readonly number[], view: any) => readonly number[]
  /** where the slider starts; else at the largest number, which is chosen most often */
  usual?: (values: readonly number[], view: any) => number | undefined
  /** kinds of events with which the game goes on by itself after a decision; `turn` of another is always one */
  onward?: readonly string[]
  /** the height on a phone of question, buttons and hand together */
  ownHeight?: number
  /** whether the board is higher than wide, so that a very wide screen has room for what lies beside it */
  slender?: boolean
  /** whether the position shows what only this seat may know, so that a shared device must be handed over first */
  secrets: (view: any, seat: number) => boolean
  /** the guided first turn, whose words are guide.<game>.*; missing: there is none */
  guide?: {
    /** the phases in which the step about the first decision makes sense; missing: all */
    opening?: readonly string[]
  }
}

/** A small picture for a word of the rule book. */
export interface WordPicture {
  Art: Component<any>
  props?: Record<string, unknown>
  box: readonly [number, number]
}

/** The pictures of a rule book. */
export interface GameBook {
  /** draws the figure of this name; its caption is figure.<game>.<name> */
  Figure: Component<{ name: string }>
  /** which figure follows the heading with this number: books have the same headings in every language */
  figures: Readonly<Record<number, { name: string; box: readonly [number, number] }>>
  /** pictures for bold words and for words at the beginning of a table's row, by how they begin */
  words?: readonly (readonly [RegExp, WordPicture])[]
  /** whether the figures replace the book's diagrams made of letters */
  replacesDiagrams?: boolean
}
