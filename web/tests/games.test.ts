import { describe, expect, test } from 'vitest'
import { crossings, facing, line, shiftBetween } from '../src/games/targi/view'
import { scoring as targui } from '../src/games/targui/scoring'
import type { TarguiView } from '../src/games/targui/view'
import { scoring as timbuktu } from '../src/games/timbuktu/scoring'
import type { TimbuktuView } from '../src/games/timbuktu/view'
import { scoring as tuareg } from '../src/games/tuareg/scoring'
import type { TuaregView } from '../src/games/tuareg/view'
import type { GameDetails } from '../src/lib/api'
import { losses, odds } from '../src/games/targui/odds'

describe('Targui: the odds of a fight', () => {
  test('a strike takes half of strategic value and die, rounded down', () => {
    expect(losses(0)).toEqual([0, 1, 1, 2, 2, 3])
    expect(losses(3)).toEqual([2, 2, 3, 3, 4, 4])
  })

  test('one camel in the oasis falls to the first strike from a sand plain', () => {
    const { win, left } = odds({ camels: 5, strategic: 2 }, { camels: 1, strategic: 3 })
    expect(win).toBeCloseTo(1, 9)
    expect(left).toBeCloseTo(5, 9)
  })

  test('from the dunes a single enemy may survive the first strike', () => {
    const { win } = odds({ camels: 1, strategic: 0 }, { camels: 1, strategic: 5 })
    expect(win).toBeCloseTo(5 / 6, 6)
  })

  test('equal sides on equal ground: who strikes first has the better chance', () => {
    const { win } = odds({ camels: 10, strategic: 0 }, { camels: 10, strategic: 0 })
    expect(win).toBeGreaterThan(0.5)
    expect(win).toBeLessThan(0.75)
  })

  test('hundreds of camels are no trouble', () => {
    const { win } = odds({ camels: 150, strategic: 1 }, { camels: 140, strategic: 4 })
    expect(win).toBeGreaterThanOrEqual(0)
    expect(win).toBeLessThan(0.1)
  })
})

describe('Targi: lines of light', () => {
  test('border cards face each other as on the table', () => {
    expect([0, 1, 2, 4, 5, 6].map(facing)).toEqual([10, 9, 8, 14, 13, 12])
    expect(facing(3)).toBe(-1)
  })

  test('a card above a column looks upon it, one beside a row upon the row', () => {
    expect(line(0)).toEqual([16, 19, 22])
    expect(line(5)).toEqual([19, 20, 21])
  })

  test('lines cross where column and row meet, and facing cards cross nowhere', () => {
    expect(crossings([0, 5])).toEqual([19])
    expect(crossings([0, 10])).toEqual([])
    expect(crossings([0, 5, 9]).sort()).toEqual([19, 20])
  })
})

describe('Targi: rearranging the display', () => {
  test('two cards change places whichever is clicked first', () => {
    const shift = { id: 7, name: 'shift', text: 'shift 1.1 2.3', words: '', args: { slot: 0, target: 6 } }
    expect(shiftBetween([shift], 0, 6)).toBe(shift)
    expect(shiftBetween([shift], 6, 0)).toBe(shift)
    expect(shiftBetween([shift], 0, 5)).toBeUndefined()
  })
})

describe('scoring told line by line', () => {
  const words = (table: Record<string, Record<string, string>>) => ({ words: table }) as unknown as GameDetails

  test('Timbuktu: goods that arrived, times what was lost of their kind', () => {
    const view = {
      seats: 2,
      lost: [3, 0, 1, 0, 2],
      kept: [
        [2, 5, 1, 0, 0],
        [0, 0, 0, 4, 3],
      ],
    } as unknown as TimbuktuView
    const lines = timbuktu(view, words({ good: {} }))
    expect([0, 1].map((seat) => lines.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0))).toEqual([7, 6])
  })

  test('Tuareg: majorities of both stages and special cards', () => {
    const event = (kind: string, args: Record<string, number>) => ({ ply: 1, seat: null, kind, args, text: '' })
    const lines = tuareg({ seats: 2 } as TuaregView, words({ good: {} }), [
      event('stage_over', { number: 1 }),
      event('majority', { seat: 1, good: 0, number: 3, points: 6 }),
      event('stage_over', { number: 2 }),
      event('shared', { seat: 0, good: 0, number: 2, points: 3 }),
      event('shared', { seat: 1, good: 0, number: 2, points: 3 }),
      event('specials', { seat: 0, points: 2 }),
    ])
    expect(lines.map((line) => line.points)).toEqual([
      [0, 6],
      [3, 3],
      [2, 0],
    ])
  })

  test('Targui: who has lost the settlement has no income', () => {
    const fields = [
      { field: 'a1', area: 'settlement', strategic: 4, economic: 4 },
      { field: 'b1', area: 'guelta', strategic: 3, economic: 3 },
      { field: 'c1', area: 'settlement', strategic: 4, economic: 4 },
    ]
    const view = { silver: [0, 0], owner: [0, 1, 0], home: [0, 2], notes: { fields } } as unknown as TarguiView
    const lines = targui(view, words({ area: {} }))
    expect([0, 1].map((seat) => lines.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0))).toEqual([8, 0])
  })
})
