/** The server's API, typed. One function for each thing the page asks; docs/server-api.md describes the same in words. */

import { settings } from './settings.svelte'

// ---------------------------------------------------------------- shapes

export interface GameOption {
  name: string
  choices: string[]
  free: boolean
}

/** A computer player: `bot` to ask for it, `name` for people. */
export interface BotInfo {
  bot: string
  name: string
}

export interface GameInfo {
  name: string
  title: string
  blurb: string
  designers: string[]
  publisher: string
  year: number | null
  minutes: number | number[] | null
  seats: number[]
  rules: number
  options: GameOption[]
  bots: BotInfo[]
  ready: boolean
}

export interface Domain {
  first: number
  labels: string[]
}

/** What a game's words file holds: tables of names and sentences. */
export type GameWords = { [table: string]: string | { [name: string]: string } }

export interface GameDetails extends GameInfo {
  labels: Record<string, string[]>
  phases: string[]
  ends: string[]
  moves: Record<string, Record<string, string>>
  events: Record<string, Record<string, string>>
  domains: Record<string, Domain>
  fields: Record<string, { shape: number[]; about: string }>
  words: GameWords
  components: Record<string, unknown>
}

export interface MoveInfo {
  id: number
  text: string
  name: string
  args: Record<string, number>
  words: string
}

export interface EventInfo {
  ply: number
  seat: number | null
  kind: string
  args: Record<string, number>
  text: string
}

export interface SeatInfo {
  seat: number
  label: string | null
  colour: string | null
  kind: 'open' | 'human' | 'bot'
  name: string
  bot: string | null
  bot_name: string | null
  mine: boolean
  connected: boolean
  pending: boolean
  resigned: string | null
  clock: number | null
  claimable: boolean
}

export interface Proposal {
  seat: number
  to: number
  agreed: number[]
  needs: number[]
}

export interface Result {
  end: string | null
  text: string | null
  scores: number[]
  ranking: number[]
}

export interface ChatLine {
  number: number
  at: number
  seat: number | null
  name: string
  text: string
}

export interface Clock {
  kind: 'none' | 'live' | 'slow'
  minutes?: number
  increment?: number
  days?: number
}

/** A game's fields as the viewer may know them; every board narrows this to its own. */
export type View = Record<string, unknown>

export interface TableView {
  type: 'table'
  id: string
  version: number
  game: string
  title: string
  options: Record<string, unknown>
  status: 'waiting' | 'playing' | 'over' | 'imported'
  public: boolean
  clock: Clock
  time_out: 'bot' | 'lose'
  created: number
  time: number
  language: string
  seat: number | null
  seats: SeatInfo[]
  watchers: number
  ply: number
  phase: string | null
  question: string | null
  pending: number[]
  view: View | null
  moves: MoveInfo[]
  from: number
  events: EventInfo[]
  undo_to: number | null
  take_back_to: number | null
  take_back_needs: number[]
  proposal: Proposal | null
  plan: string[]
  plan_dropped: string | null
  hints: boolean
  result: Result | null
  chat: ChatLine[]
  rematch: string | null
}

export interface PastView {
  id: string
  version: number
  ply: number
  plies: number
  seat: number | null
  phase: string
  question: string | null
  pending: number[]
  decision: { seat: number; move: MoveInfo; at: number } | null
  view: View
  events: EventInfo[]
}

export interface TableSummary {
  id: string
  game: string
  title: string
  status: TableView['status']
  public: boolean
  options: Record<string, unknown>
  clock: Clock
  created: number
  updated: number
  ply: number
  seats: { kind: SeatInfo['kind']; name: string; bot: string | null; mine: boolean }[]
  pending: number[]
  your_turn: boolean
}

export interface HintMove {
  id: number
  text: string
  words: string
  /** how much of the search went to this move, 0 to 1 */
  share: number
  /** prospects per seat, 0 to 1, and half a 95 % interval */
  value: number[]
  error: number[]
  /** of games played on, for the best few */
  win?: number[]
  points?: number[]
  games?: number
  continuation?: [number, string][]
}

export interface Hint {
  ply: number
  seat: number
  moves: HintMove[]
}

/** Every decision of a finished game, judged. */
export interface GameAnalysis {
  plies: { ply: number; seat: number; chosen: HintMove; best: HintMove; among: number }[]
}

export interface Job<T = unknown> {
  id: string
  table: string
  kind: 'hint' | 'game'
  status: 'waiting' | 'running' | 'done' | 'failed'
  progress: number
  result: T | null
  problem: { error: string; message: string } | null
}

export interface SeatWish {
  kind: 'me' | 'open' | 'bot'
  bot?: string
}

export interface NewTable {
  game: string
  seats: SeatWish[]
  options?: Record<string, unknown>
  public?: boolean
  clock?: Clock
  time_out?: 'bot' | 'lose'
  substitute?: string
  hints?: boolean
  wait?: boolean
  origin?: { table: string; ply: number }
}

// ---------------------------------------------------------------- asking

/** The server said no: a code for programs, a sentence for people. */
export class Refused extends Error {
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

interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  query?: Record<string, string | number | undefined>
  signal?: AbortSignal
}

async function ask<T>(path: string, { method = 'GET', body, query = {}, signal }: Ask = {}): Promise<T> {
  const address = new URL(`/api${path}`, location.origin)
  address.searchParams.set('lang', settings.language)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value))
  let answer: Response
  try {
    answer = await fetch(address, {
      method,
      signal: signal ?? null,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable('the server cannot be reached')
  }
  if (answer.ok) return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T)
  if (answer.status === 304) throw new Refused(304, 'nothing_new', 'nothing new')
  const problem = (await answer.json().catch(() => ({}))) as { error?: string; message?: string }
  throw new Refused(answer.status, problem.error ?? 'unknown', problem.message ?? answer.statusText)
}

const post = <T>(path: string, body: unknown = {}) => ask<T>(path, { method: 'POST', body })
const at = (table: string) => `/tables/${encodeURIComponent(table)}`

/** The computer player taken where nobody chooses one: the one chosen the last time, else a middling level. */
export function usualBot(game: Pick<GameInfo, 'bots'>): string {
  return game.bots.find((one) => one.bot === settings.level)?.bot ?? game.bots.at(-1)?.bot ?? 'greedy'
}

/** Those one can choose from: the levels, where there are any. */
export function levels(game: Pick<GameInfo, 'bots'>): BotInfo[] {
  const found = game.bots.filter((one) => /^\d+$/.test(one.bot))
  return found.length ? found : game.bots
}

export const api = {
  games: async () => (await ask<{ games: GameInfo[] }>('/games')).games,
  game: (name: string) => ask<GameDetails>(`/games/${name}`),
  help: async (name: string) => (await ask<{ markdown: string }>(`/games/${name}/help`)).markdown,

  useLink: (code: string) => post<{ name: string }>('/me/move', { code }),
  me: () => ask<{ name: string; tables: number }>('/me'),
  link: () => post<{ url: string }>('/me/link'),
  rename: (name: string) => ask<{ name: string }>('/me', { method: 'PATCH', body: { name } }),

  create: (table: NewTable) => post<TableView>('/tables', table),
  tables: async (list: 'public' | 'watch' | 'mine' | 'finished', game?: string) =>
    (await ask<{ tables: TableSummary[] }>('/tables', { query: { list, game } })).tables,
  look: (table: string, query: { seat?: number; since?: number; version?: number; wait?: number } = {}, signal?: AbortSignal) =>
    ask<TableView>(at(table), { query, ...(signal ? { signal } : {}) }),
  past: (table: string, ply: number, seat?: number) => ask<PastView>(`${at(table)}/plies/${ply}`, { query: { seat } }),
  recordAddress: (table: string) => `/api${at(table)}/record`,

  sit: (table: string, seat?: number, code?: string) => post<TableView>(`${at(table)}/seats`, { seat, code }),
  leave: (table: string, seat: number) => ask<TableView>(`${at(table)}/seats/${seat}`, { method: 'DELETE' }),
  putBot: (table: string, seat: number, bot: string) => post<TableView>(`${at(table)}/seats/${seat}/bot`, { bot }),
  start: (table: string, bot?: string) => post<TableView>(`${at(table)}/start`, { bot }),

  /** `since` and `version` are what the page has; the answer is what is new. */
  play: (table: string, body: { ply: number; move: number; seat?: number; version?: number }, since: number) =>
    ask<TableView>(`${at(table)}/moves`, { method: 'POST', body, query: { since, version: body.version } }),
  undo: (table: string, body: { to?: number; seat?: number } = {}) => post<TableView>(`${at(table)}/undo`, body),
  takeBack: (table: string, body: { to?: number; seat?: number } = {}) => post<TableView>(`${at(table)}/take-back`, body),
  answer: (table: string, agree: boolean) => post<TableView>(`${at(table)}/take-back/answer`, { agree }),
  resign: (table: string) => post<TableView>(`${at(table)}/resign`),
  say: (table: string, text: string) => post<TableView>(`${at(table)}/chat`, { text }),
  rematch: (table: string) => post<{ id: string }>(`${at(table)}/rematch`),

  beginJob: <T>(table: string, body: { kind: 'hint' | 'game'; seat?: number; ply?: number }) =>
    post<Job<T>>(`${at(table)}/jobs`, body),
  job: <T>(id: string) => ask<Job<T>>(`/jobs/${id}`),
}

/** Wait for a job, telling how far it has come. */
async function finished<T>(job: Job<T>, told?: (progress: number) => void): Promise<T> {
  let now = job
  while (now.status === 'waiting' || now.status === 'running') {
    told?.(now.progress)
    await new Promise((resolve) => setTimeout(resolve, 300))
    now = await api.job<T>(now.id)
  }
  if (now.result === null)
    throw new Refused(500, now.problem?.error ?? 'failed', now.problem?.message ?? 'the server could not do it')
  return now.result
}

/** The best moves for the seat to decide. */
export async function hint(table: string, seat: number | undefined, told: (progress: number) => void): Promise<Hint> {
  return finished(await api.beginJob<Hint>(table, { kind: 'hint', seat }), told)
}

/** All decisions of a finished game. */
export async function analysis(table: string, told: (progress: number) => void): Promise<GameAnalysis> {
  return finished(await api.beginJob<GameAnalysis>(table, { kind: 'game' }), told)
}
