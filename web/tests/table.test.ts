import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { EventInfo, MoveInfo, Review, ReviewedDecision, SeatInfo, TableView } from '../src/lib/api'
import { has } from '../src/lib/i18n'
import { inline, parse } from '../src/lib/markdown'
import { nearest } from '../src/lib/keys'
import { heard, merged } from '../src/lib/merge'
import { byArgument, numbers, rankOf, usefulMarks } from '../src/lib/moves'
import { newEvents, sinceDecision } from '../src/lib/playback.svelte'
import { read } from '../src/lib/route'
import { chanceLine, chancesAt, luckAt, mistakesOf, percents, signed } from '../src/table/review'
import { sameDecision } from '../src/table/decision'
import { byPart } from '../src/table/drawing/drawing'
import { addressOf } from '../src/table/names'
import { DRAWN, loadBook } from '../src/games'
import { compare, percent } from '../src/pages/puzzle/chances'

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

describe('what happened since one decided', () => {
  const told = (ply: number, seat: number, kind: string, doer: number): EventInfo => ({
    ...event(ply, kind),
    seat,
    args: { seat: doer },
  })

  test('the turn of another begins with one’s own decision, and goes on by itself where there is no choice', () => {
    const own = [told(1, 0, 'turn', 0), told(2, 0, 'took', 0)]
    const others = [told(2, 0, 'turn', 1), told(2, 0, 'drew', 1), told(3, 1, 'gave', 1), told(3, 1, 'turn', 0)]
    expect(sinceDecision([...own, ...others], 0)).toEqual(others)
  })

  test('what a game names goes on by itself, too, even if one’s own turn comes next', () => {
    const own = [told(1, 0, 'turn', 0), told(2, 0, 'bought', 0)]
    const fate = [told(2, 0, 'fate', 0), told(2, 0, 'lost', 0), told(2, 0, 'turn', 0)]
    expect(sinceDecision([...own, ...fate], 0, ['fate'])).toEqual(fate)
    expect(sinceDecision([...own, ...fate], 0)).toEqual([])
  })

  test('a game may begin turns by an event of its own', () => {
    const own = [told(1, 0, 'moved', 0)]
    const others = [told(1, 0, 'revealed', 1), told(2, 1, 'moved', 1), told(2, 1, 'revealed', 0)]
    expect(sinceDecision([...own, ...others], 0, [], 'revealed')).toEqual(others)
  })

  test('without a turn of others there is nothing', () => {
    expect(sinceDecision([told(1, 1, 'turn', 0), told(2, 0, 'drew', 0)], 0)).toEqual([])
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

describe('what players are called', () => {
  const seat = (number: number, mine: boolean, name: string) => ({ seat: number, kind: 'human', mine, name }) as SeatInfo
  const [anna, bela, other] = [seat(0, true, 'Anna'), seat(1, false, 'Bela'), seat(1, true, 'Bela')]

  test('the person is You, unless several share the device', () => {
    expect([anna, bela].map((one) => addressOf(one, [anna, bela]))).toEqual(['You', 'Bela'])
    expect([anna, other].map((one) => addressOf(one, [anna, other]))).toEqual(['Anna', 'Bela'])
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

describe('the review of a game', () => {
  const decision = (ply: number, seat: number, grade: ReviewedDecision['grade']) => ({ ply, seat, grade }) as ReviewedDecision
  const review = {
    first: 4,
    last: 6,
    chances: [0.5, 0.25, 1].map((chance) => [
      [chance, 1 - chance],
      [0.5, 0.5],
      [chance, 1 - chance],
    ]),
    decisions: [decision(4, 0, 'blunder'), decision(5, 1, 'mistake'), decision(6, 0, 'good')],
    luck: [{ ply: 5, change: [0.25, -0.75, 0.5], cause: 'the die' }],
  } as unknown as Review

  test('a line goes through the chances of one view', () => {
    expect(chanceLine(review, 0, 2, 100, 100)).toBe('M0.0 50.0L50.0 75.0L100.0 0.0')
    expect(chanceLine(review, 1, 1, 100, 100)).toBe('M0.0 50.0L50.0 50.0L100.0 50.0')
  })

  test('a ply outside the review has the chances of its nearest moment', () => {
    expect(chancesAt(review, 0, 0)).toEqual([0.5, 0.5])
    expect(chancesAt(review, 99, 0)).toEqual([1, 0])
  })

  test('mistakes are those of the seats asked for', () => {
    expect(mistakesOf(review, [0]).map((one) => one.ply)).toEqual([4])
    expect(mistakesOf(review, [0, 1]).map((one) => one.ply)).toEqual([4, 5])
  })

  test('a change that rounds to nothing has no sign', () => {
    expect([0.064, -0.121, 0.004, -0.004, 0].map(signed)).toEqual(['+6 %', '−12 %', '0 %', '0 %', '0 %'])
  })

  test('percents of all seats add up to 100', () => {
    expect(percents([0.595, 0.405])).toEqual([60, 40])
    expect(percents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33])
    expect(percents([0, 1])).toEqual([0, 100])
  })

  test('luck is told for the seat whose chance it changed most, with its cause', () => {
    expect(luckAt(review, 5)).toEqual({ seat: 1, change: -0.75, cause: 'the die' })
    expect(luckAt(review, 4)).toBeNull()
  })
})

describe('hints and keys', () => {
  test('a hint holds as long as the same decision is owed', () => {
    const moves = [move(4, 'bid', { amount: 1 })]
    const asked = view({ seat: 1, ply: 6, pending: [0, 1, 2], moves })
    expect(sameDecision(asked, view({ seat: 1, ply: 6, pending: [0, 1, 2], moves }))).toBe(true)
    expect(sameDecision(asked, view({ seat: 1, ply: 7, pending: [1, 2], moves }))).toBe(true) // another has decided
    expect(sameDecision(asked, view({ seat: 1, ply: 8, pending: [0, 1, 2], moves }))).toBe(false) // a round later
    expect(sameDecision(asked, view({ seat: 1, ply: 7, pending: [0, 2], moves: [] }))).toBe(false) // decided
    expect(sameDecision(asked, view({ seat: 1, ply: 5, pending: [0, 1, 2], moves }))).toBe(false) // something was taken back
    expect(sameDecision(asked, view({ seat: 1, ply: 7, pending: [1, 2], moves: [] }))).toBe(false)
    expect(sameDecision(asked, null)).toBe(false)
  })

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

describe('puzzles', () => {
  test('a verdict and the solution say the same of the best move, and the difference adds up', () => {
    expect(compare(0.395, 0.1449)).toEqual({ own: 40, best: percent(0.5399), lost: 14 })
    expect(compare(0.4249, 0.1201).best).toBe(percent(0.545))
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
