import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { EventInfo, GameAnalysis, HintMove, MoveInfo, TableView } from '../src/lib/api'
import { has } from '../src/lib/i18n'
import { inline, parse } from '../src/lib/markdown'
import { nearest } from '../src/lib/keys'
import { heard, merged } from '../src/lib/merge'
import { byArgument, numbers, rankOf, usefulMarks } from '../src/lib/moves'
import { newEvents } from '../src/lib/playback.svelte'
import { read } from '../src/lib/route'
import { known, turningPoints } from '../src/table/analysis'
import { byPart } from '../src/table/drawing/drawing'
import { DRAWN, loadBook } from '../src/games'

const event = (ply: number, kind = 'moved'): EventInfo => ({ ply, seat: 0, kind, args: {}, text: kind })
const move = (id: number, name: string, args: Record<string, number>): MoveInfo => ({ id, name, args, text: '', words: '' })
const view = (over: Partial<TableView>): TableView => ({ ply: 0, from: -1, events: [], status: 'playing', ...over }) as TableView

describe('what is new at a table', () => {
  test('events taken back are forgotten before new ones are added', () => {
    const known = [event(1), event(2), event(3)]
    expect(merged(known, { from: 1, events: [event(2, 'other')] })).toEqual([event(1), event(2, 'other')])
  })

  test('a view from the beginning replaces everything', () => {
    expect(merged([event(1)], { from: -1, events: [event(5)] })).toEqual([event(5)])
  })

  test('no line of chat is shown twice', () => {
    const line = (number: number) => ({ number, at: 0, seat: null, name: 'a', text: 'b' })
    expect(heard([line(3)], [line(3), line(7)]).map((one) => one.number)).toEqual([3, 7])
  })

  test('only events after the shown position are shown', () => {
    expect(newEvents(view({ ply: 2 }), view({ ply: 4, from: 2, events: [event(3), event(4)] }))).toHaveLength(2)
    expect(newEvents(view({ ply: 2 }), view({ ply: 4, from: -1, events: [event(1), event(2), event(3)] }))).toEqual([event(3)])
  })

  test('what was taken back is not shown, and who comes back after long sees the present', () => {
    expect(newEvents(view({ ply: 5 }), view({ ply: 3, from: 3 }))).toEqual([])
    expect(newEvents(view({ ply: 5 }), view({ ply: 90, from: 5, events: [event(6)] }))).toEqual([])
  })
})

describe('from moves to what may be clicked', () => {
  const moves = [
    move(4, 'to', { field: 3 }),
    move(5, 'to', { field: 9 }),
    move(8, 'camels', { camels: 2 }),
    move(7, 'camels', { camels: 1 }),
    move(1, 'stay', {}),
  ]

  test('moves of one kind by their argument', () => {
    expect([...byArgument(moves, 'to', 'field').keys()]).toEqual([3, 9])
  })

  test('numbers rise', () => {
    expect(numbers(moves, 'camels').map((one) => one.value)).toEqual([1, 2])
  })

  test('useful marks are among the possible values', () => {
    const values = Array.from({ length: 12 }, (_, index) => index + 1)
    expect(usefulMarks(values, [11, 99])).toEqual([1, 6, 11, 12])
    expect(usefulMarks([])).toEqual([])
  })
})

describe('a game that is drawn by the server', () => {
  const game = { moves: { go: { well: 'well' }, swap: { well: 'well', other: 'well' }, bid: { skins: 'skins' }, rest: {} } }
  const moves = [
    { ...move(1, 'go', { well: 0 }), text: 'go north' },
    { ...move(2, 'go', { well: 1 }), text: 'go south' },
    { ...move(3, 'swap', { well: 0, other: 1 }), text: 'swap north south' },
    { ...move(4, 'bid', { skins: 1 }), text: 'bid 1' },
    { ...move(5, 'rest', {}), text: 'rest' },
  ]

  test('moves lie on the parts they name; all others are listed', () => {
    const { placed, unplaced } = byPart(moves, game, new Set(['well:north', 'well:south']))
    expect([...placed].map(([part, some]) => [part, some.map((one) => one.id)])).toEqual([
      ['well:north', [1, 3]],
      ['well:south', [2, 3]],
    ])
    expect(unplaced.map((one) => one.id)).toEqual([4, 5])
  })

  test('without parts every move is listed', () => {
    expect(byPart(moves, game, new Set()).unplaced).toEqual(moves)
  })
})

describe('the analysis of a game', () => {
  const hint = (id: number, value: number) => ({ id, value: [value, 1 - value] }) as HintMove
  const ply = (ply: number, chosen: HintMove | null, best: HintMove) =>
    ({ ply, seat: 0, chosen, best, among: 5 }) as GameAnalysis['plies'][number]

  test('a decision that the analysis did not consider is left out of the chart', () => {
    const plies = [ply(1, hint(1, 0.5), hint(1, 0.5)), ply(2, null, hint(2, 0.6)), ply(3, hint(3, 0.4), hint(4, 0.6))]
    expect(known(plies).map((one) => one.ply)).toEqual([1, 3])
  })

  test('turning points are the decisions that cost most', () => {
    const plies = known([
      ply(1, hint(1, 0.5), hint(2, 0.6)),
      ply(2, hint(3, 0.2), hint(4, 0.6)),
      ply(3, hint(5, 0.5), hint(6, 0.51)),
    ])
    expect(turningPoints(plies).map((one) => one.ply)).toEqual([2, 1])
  })
})

describe('hints and keys', () => {
  test('a place where several moves are possible has the rank of the best', () => {
    const moves = [move(4, 'to', {}), move(5, 'to', {})]
    expect(rankOf([9, 5, 4], ...moves)).toBe(2)
    expect(rankOf([9], ...moves, undefined)).toBe(0)
  })

  test('arrow keys go to the nearest place in their direction', () => {
    const places = [
      { x: 100, y: 0 },
      { x: 60, y: 90 },
      { x: 0, y: 50 },
    ]
    expect(nearest({ x: 0, y: 0 }, places, [1, 0])).toBe(0)
    expect(nearest({ x: 0, y: 0 }, places, [0, 1])).toBe(2)
    expect(nearest({ x: 0, y: 0 }, places, [-1, 0])).toBe(-1)
  })
})

describe('addresses', () => {
  test.each([
    ['/', 'start', ''],
    ['/table/abc', 'table', 'abc'],
    ['/rules/targi', 'rules', 'targi'],
    ['/move', 'transfer', ''],
    ['/style', 'not-found', '/style'],
    ['/table', 'not-found', '/table'],
    ['/table/a/b', 'not-found', '/table/a/b'],
  ])('%s', (path, page, about) => {
    expect(read(path)).toEqual({ page, about })
  })
})

describe('rule books', () => {
  test.each(DRAWN)('%s: every language has the same chapters, and all pictures a place', async (game) => {
    const folder = `../src/azalai/games/${game}/extras/help`
    const levels = (file: string) =>
      parse(readFileSync(`${folder}/${file}`, 'utf8')).flatMap((block) => (block.kind === 'heading' ? [block.level] : []))
    const english = levels('en.md')
    for (const file of readdirSync(folder)) expect(levels(file), file).toEqual(english)
    const figures = Object.entries((await loadBook(game))?.figures ?? {})
    expect(figures.length).toBeGreaterThan(0)
    for (const [heading, { name }] of figures) {
      expect(Number(heading)).toBeLessThan(english.length)
      expect(has(`figure.${game}.${name}`), name).toBe(true)
    }
  })

  test('headings, lists, tables and paragraphs', () => {
    const blocks = parse('# Title\n\nOne\nline.\n\n- a\n- b\n  more\n\n| x | y |\n|---|---|\n| 1 | 2 |\n')
    expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list', 'table'])
    expect(blocks[2]).toMatchObject({ items: [[{ text: 'a' }], [{ text: 'b more' }]] })
  })

  test('markup stays text, and no link leads to a script', () => {
    expect(inline('<b>x</b>')).toEqual([{ kind: 'text', text: '<b>x</b>' }])
    expect(inline('[x](javascript:alert)')).toEqual([{ kind: 'link', text: 'x', href: '#' }])
  })

  test('every text comes to an end', () => {
    expect(parse('#### five\n##### six\n|\n- \n>').length).toBeGreaterThan(0)
  })
})
