/** The page's client of the server's API. All shapes are generated from the server's schemas: see api/schema.ts. */

import createClient from 'openapi-fetch'
import type {
  AnswerMessage,
  BotInfo,
  CallSettings,
  ChatMessage,
  GameInfo,
  Hint,
  NewPush,
  NewReport,
  NewTable,
  NewTournament,
  PersonInfo,
  PlayMessage,
  Problem,
  Profile,
  ResignMessage,
  TablePerson,
  TableView,
  TakeBackMessage,
  UndoMessage,
  operations,
  paths,
} from './api/schema'
import { settings } from './settings.svelte'

export type {
  BestPlayers,
  BotInfo,
  CallSettings,
  Callback,
  ChatLine,
  Clock,
  Contact,
  EventInfo,
  FeedMade,
  GameDetails,
  GameInfo,
  HintMove,
  LineStep,
  Me,
  MoveInfo,
  NewReport,
  NewSeat,
  PasskeyList,
  PastView,
  PersonInfo,
  PlayerRating,
  Profile,
  PuzzleBrief,
  PuzzleOverview,
  PuzzlePosition,
  PuzzleScore,
  PuzzleSolution,
  PuzzleVerdict,
  GameReview as Review,
  ReviewedDecision,
  SeatInfo,
  SeatRating,
  ServerMessage,
  TablePerson,
  TableSummary,
  TableView,
  Tournament,
  TournamentGame,
  TournamentSummary,
  TriedVerdict,
  Vacation,
} from './api/schema'

/** A game's fields as far as the viewer may know them; every game has its own type for it in view.gen.ts. */
export type View = NonNullable<TableView['view']>

/** What can be done at a table over the socket and by HTTP alike. */
export type Command = PlayMessage | UndoMessage | TakeBackMessage | AnswerMessage | ResignMessage | ChatMessage

/** The server answered with an error: a code for programs, a sentence for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {}

const client = createClient<paths>({
  querySerializer: (query) => {
    const given = Object.entries({ lang: settings.language, ...query }).filter(([, value]) => value != null)
    return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  },
})

/**
 * Who we are to the server: asked once, before anything that depends on it, so that even a first visit has its cookie.
 * Two requests of somebody new at the same time would make two guests.
 */
export const met: Promise<unknown> = fetch('/api/me')
  .then((answer) => answer.text())
  .catch(() => null)
client.use({
  onRequest: async ({ request, schemaPath }) => {
    if (request.method !== 'GET' || schemaPath.startsWith('/api/me')) await met
    return undefined
  },
})

/** The JSON of an answer; an exception where there is none. */
async function read<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>, signal?: AbortSignal): Promise<T> {
  let answer
  try {
    answer = await request
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable('the server cannot be reached')
  }
  if (answer.response.ok) return answer.data as T
  const problem = (answer.error || {}) as Partial<Problem>
  throw new ApiError(answer.response.status, problem.error ?? 'unknown', problem.message ?? answer.response.statusText)
}

/** The computer player taken where nobody chooses one: the one chosen the last time, else a middling level. */
export function usualBot(game: Pick<GameInfo, 'bots'>): string {
  return game.bots.find((one) => one.bot === settings.level)?.bot ?? game.bots.at(-1)?.bot ?? 'greedy'
}

/** Those one can choose from: the levels, where there are any. */
export function levels(game: Pick<GameInfo, 'bots'>): BotInfo[] {
  const found = game.bots.filter((one) => /^\d+$/.test(one.bot))
  return found.length ? found : game.bots
}

const at = (table_id: string) => ({ path: { table_id } })
const inside = (tournament_id: string) => ({ path: { tournament_id } })
type ListOf = NonNullable<NonNullable<operations['list_tables_api_tables_get']['parameters']['query']>['list']>

/** Which of the own finished games; `before` continues a list. */
export type FinishedFilter = Pick<
  NonNullable<operations['list_tables_api_tables_get']['parameters']['query']>,
  'game' | 'opponent' | 'outcome' | 'before'
>

/** Which puzzle comes next; `last` is one that shall not come again now. */
export type PuzzleFilter = NonNullable<operations['choose_next_api_puzzles_next_get']['parameters']['query']>

export const api = {
  games: async () => (await read(client.GET('/api/games'))).games,
  game: (game: string) => read(client.GET('/api/games/{game}', { params: { path: { game } } })),
  /** the game of a table, which may be a variant */
  gameAt: (table_id: string) => read(client.GET('/api/tables/{table_id}/game', { params: { path: { table_id } } })),
  help: async (game: string) => (await read(client.GET('/api/games/{game}/help', { params: { path: { game } } }))).markdown,

  useLink: (code: string) => read(client.POST('/api/me/move', { body: { code } })),
  previewLink: (code: string) => read(client.POST('/api/me/move/preview', { body: { code } })),
  goBack: () => read(client.POST('/api/me/back')),
  endSessions: () => read(client.DELETE('/api/me/sessions')),
  me: () => read(client.GET('/api/me')),
  link: () => read(client.POST('/api/me/link')),
  rename: (name: string) => read(client.PATCH('/api/me', { body: { name } })),

  callback: () => read(client.GET('/api/me/callback')),
  setCallback: (body: CallSettings) => read(client.PUT('/api/me/callback', { body })),
  addPush: (body: NewPush) => read(client.POST('/api/me/callback/push', { body })),
  addMail: (address: string) => read(client.POST('/api/me/callback/mail', { body: { address } })),
  addWebhook: (kind: 'discord' | 'slack', url: string) => read(client.POST('/api/me/callback/webhook', { body: { kind, url } })),
  dropContact: (contact: string) => read(client.DELETE('/api/me/callback/contacts/{contact}', { params: { path: { contact } } })),
  testCallback: () => read(client.POST('/api/me/callback/test')),
  makeFeed: () => read(client.POST('/api/me/callback/feed')),
  dropFeed: () => read(client.DELETE('/api/me/callback/feed')),
  confirmMail: (code: string) => read(client.POST('/api/callback/confirm', { body: { code } })),
  stopMails: (code: string) => read(client.POST('/api/callback/unsubscribe/{code}', { params: { path: { code } } })),
  passkeys: () => read(client.GET('/api/me/passkeys')),
  passkeyOptions: () => read(client.POST('/api/me/passkeys/options')),
  addPasskey: (credential: object, label: string) =>
    read(client.POST('/api/me/passkeys', { body: { credential: { ...credential }, label } })),
  dropPasskey: (passkey: string) => read(client.DELETE('/api/me/passkeys/{passkey}', { params: { path: { passkey } } })),
  signInOptions: () => read(client.POST('/api/me/sign-in/options')),
  signIn: (credential: object) => read(client.POST('/api/me/sign-in', { body: { credential: { ...credential } } })),
  signOut: () => read(client.POST('/api/me/sign-out')),
  newCode: async () => (await read(client.POST('/api/me/recovery'))).code,
  recover: (code: string) => read(client.POST('/api/me/recover', { body: { code } })),
  deleteMe: () => read(client.DELETE('/api/me')),

  profile: (player: string) =>
    read(player ? client.GET('/api/players/{player}', { params: { path: { player } } }) : client.GET('/api/me/profile')),
  show: (shown: Profile['shown']) => read(client.PUT('/api/me/profile', { body: { shown } })),
  best: (game: string, players: number) =>
    read(client.GET('/api/games/{game}/ratings', { params: { path: { game }, query: { players } } })),
  ratings: async (table: string) => (await read(client.GET('/api/tables/{table_id}/ratings', { params: at(table) }))).seats,
  vacation: () => read(client.GET('/api/me/vacation')),
  goAway: (days: number) => read(client.PUT('/api/me/vacation', { body: { days } })),
  comeBack: () => read(client.DELETE('/api/me/vacation')),
  tablePeople: async (table: string) => (await read(client.GET('/api/tables/{table_id}/people', { params: at(table) }))).people,
  /** block or mute somebody at a table, or no more */
  want: (table_id: string, { seat, blocked, muted }: TablePerson) =>
    read(client.PUT('/api/tables/{table_id}/people/{seat}', { params: { path: { table_id, seat } }, body: { blocked, muted } })),
  report: (table_id: string, seat: number, body: NewReport) =>
    read(client.POST('/api/tables/{table_id}/people/{seat}/report', { params: { path: { table_id, seat } }, body })),
  wantPerson: ({ person, blocked, muted }: PersonInfo) =>
    read(client.PUT('/api/people/{person}', { params: { path: { person } }, body: { blocked, muted } })),
  people: async () => (await read(client.GET('/api/people'))).people,
  /** sit down with anyone who wants to play this; the table */
  seek: (game: string) => read(client.POST('/api/seek', { body: { game } })),

  tournaments: async () => (await read(client.GET('/api/tournaments'))).tournaments,
  tournament: (id: string) => read(client.GET('/api/tournaments/{tournament_id}', { params: inside(id) })),
  organise: (body: NewTournament) => read(client.POST('/api/tournaments', { body })),
  callOff: (id: string) => read(client.DELETE('/api/tournaments/{tournament_id}', { params: inside(id) })),
  /** take part; or, as the organiser, let a computer player take part */
  enter: (id: string, bot = false) =>
    read(client.POST('/api/tournaments/{tournament_id}/entrants', { params: inside(id), body: { bot } })),
  /** leave a tournament, or remove somebody */
  withdraw: (tournament_id: string, number: number) =>
    read(client.DELETE('/api/tournaments/{tournament_id}/entrants/{number}', { params: { path: { tournament_id, number } } })),
  /** a computer player for somebody who does not come */
  playFor: (tournament_id: string, number: number) =>
    read(client.POST('/api/tournaments/{tournament_id}/entrants/{number}/bot', { params: { path: { tournament_id, number } } })),
  beginTournament: (id: string) => read(client.POST('/api/tournaments/{tournament_id}/start', { params: inside(id) })),

  create: (body: NewTable) => read(client.POST('/api/tables', { body })),
  tables: async (list: ListOf) => (await read(client.GET('/api/tables', { params: { query: { list, limit: 50 } } }))).tables,
  finished: (filter: FinishedFilter, signal?: AbortSignal) =>
    read(
      client.GET('/api/tables', { params: { query: { list: 'finished', limit: 12, ...filter } }, signal: signal ?? null }),
      signal,
    ),
  look: (table: string, query: { seat?: number; since?: number; version?: number; wait?: number } = {}, signal?: AbortSignal) =>
    read(client.GET('/api/tables/{table_id}', { params: { ...at(table), query }, signal: signal ?? null }), signal),
  past: (table_id: string, ply: number, seat?: number) =>
    read(client.GET('/api/tables/{table_id}/plies/{ply}', { params: { path: { table_id, ply }, query: { seat } } })),
  reason: async (table_id: string, name: string, values: readonly number[], seat?: number) =>
    (
      await read(
        client.GET('/api/tables/{table_id}/reason', {
          params: { path: { table_id }, query: { name, values: values.join(), seat } },
        }),
      )
    ).text,
  /** the review of a finished game as far as it is there; it begins, or goes on */
  review: (table: string, grades: boolean) =>
    read(client.POST('/api/tables/{table_id}/review', { params: { ...at(table), query: { grades } } })),
  reviewed: (table: string) => read(client.GET('/api/tables/{table_id}/review', { params: at(table) })),
  reviewedDecision: (table_id: string, ply: number, seat: number) =>
    read(client.GET('/api/tables/{table_id}/review/{ply}', { params: { path: { table_id, ply }, query: { seat } } })),
  tryMove: (table_id: string, ply: number, move: number) =>
    read(client.POST('/api/tables/{table_id}/review/{ply}', { params: { path: { table_id, ply } }, body: { move } })),
  puzzles: () => read(client.GET('/api/puzzles')),
  puzzle: (puzzle: string) => read(client.GET('/api/puzzles/{puzzle}', { params: { path: { puzzle } } })),
  puzzleReason: async (puzzle: string, name: string, values: readonly number[]) =>
    (
      await read(
        client.GET('/api/puzzles/{puzzle}/reason', { params: { path: { puzzle }, query: { name, values: values.join() } } }),
      )
    ).text,
  nextPuzzle: (query: PuzzleFilter) => read(client.GET('/api/puzzles/next', { params: { query } })),
  answerPuzzle: (puzzle: string, move: number) =>
    read(client.POST('/api/puzzles/{puzzle}/tries', { params: { path: { puzzle } }, body: { move } })),
  /** the solution; without a try before, the puzzle counts as missed */
  solvePuzzle: (puzzle: string) => read(client.POST('/api/puzzles/{puzzle}/solution', { params: { path: { puzzle } } })),
  puzzleDrawing: (puzzle: string, night: boolean) =>
    `/api/puzzles/${encodeURIComponent(puzzle)}/drawing?${new URLSearchParams({ theme: night ? 'dark' : 'light', lang: settings.language })}`,
  /** a picture of the board: of a running game as the own seat sees it, after `ply` decisions */
  drawingAddress: (table: string, ply: number, night: boolean) =>
    `/api/tables/${encodeURIComponent(table)}/drawing?${new URLSearchParams({ ply: String(ply), theme: night ? 'dark' : 'light', lang: settings.language })}`,
  recordAddress: (table: string) => `/api/tables/${encodeURIComponent(table)}/record`,

  sit: (table: string, seat?: number, code?: string) =>
    read(client.POST('/api/tables/{table_id}/seats', { params: at(table), body: { seat, code } })),
  leave: (table_id: string, seat: number) =>
    read(client.DELETE('/api/tables/{table_id}/seats/{seat}', { params: { path: { table_id, seat } } })),
  /** the table's own computer player takes over an abandoned seat */
  replace: (table_id: string, seat: number) =>
    read(client.POST('/api/tables/{table_id}/seats/{seat}/bot', { params: { path: { table_id, seat } }, body: {} })),
  start: (table: string, bot?: string) => read(client.POST('/api/tables/{table_id}/start', { params: at(table), body: { bot } })),
  rematch: (table: string) => read(client.POST('/api/tables/{table_id}/rematch', { params: at(table) })),

  /** A command by HTTP; `seen` is what the page has, the answer is what is new. */
  command: (table: string, command: Command, seen: { since?: number; version?: number } = {}): Promise<TableView> => {
    const { type, ...body } = command
    return read(client.POST(ROUTES[type], { params: { ...at(table), query: seen }, body: body as never }))
  },
}

const ROUTES = {
  play: '/api/tables/{table_id}/moves',
  undo: '/api/tables/{table_id}/undo',
  'take-back': '/api/tables/{table_id}/take-back',
  answer: '/api/tables/{table_id}/take-back/answer',
  resign: '/api/tables/{table_id}/resign',
  chat: '/api/tables/{table_id}/chat',
} as const satisfies Record<Command['type'], keyof paths>

/** The best moves for the seat to decide. */
export async function hint(table: string, seat: number | undefined): Promise<Hint> {
  let job = await read(client.POST('/api/tables/{table_id}/jobs', { params: at(table), body: { kind: 'hint', seat } }))
  while (job.status === 'waiting' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 150))
    job = await read(client.GET('/api/jobs/{job_id}', { params: { path: { job_id: job.id } } }))
  }
  if (job.result) return job.result
  throw new ApiError(500, job.problem?.error ?? 'failed', job.problem?.message ?? 'the server could not do it')
}
