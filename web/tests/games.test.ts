import { describe, expect, test } from 'vitest'
import { crossings, facing, line } from '../src/games/targi/view'
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
