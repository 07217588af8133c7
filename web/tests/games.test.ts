import { describe, expect, test } from 'vitest'
import {
  besideLine,
  briefly,
  corner,
  crossesFor,
  crossings,
  facing,
  goodsForTrade,
  line,
  markerAt,
  shiftBetween,
  type TargiView,
} from '../src/games/targi/view'
import { scoring as targui } from '../src/games/targui/scoring'
import { onlyPrey, type TarguiView } from '../src/games/targui/view'
import { scoring as timbuktu } from '../src/games/timbuktu/scoring'
import { expectedLoss, type TimbuktuView } from '../src/games/timbuktu/view'
import { changes as tuaregChanges } from '../src/games/tuareg/changes'
import { scoring as tuareg } from '../src/games/tuareg/scoring'
import { inCaves, isLastRound, underThieves, type TuaregView } from '../src/games/tuareg/view'
import type { EventInfo, GameDetails } from '../src/lib/api'
import { changes } from '../src/games/targui/changes'
import { losses, odds } from '../src/games/targui/odds'
import targuiUi from '../src/games/targui/index'
import timbuktuUi from '../src/games/timbuktu/index'
import tuaregUi from '../src/games/tuareg/index'
import { addingUp } from '../src/table/scores'

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

describe('Targi: markers and menus', () => {
  const goods: { gain: Record<string, number> }[] = [{ gain: { dates: 1 } }, { gain: { choice: 1 } }]
  const view = {
    centre: [
      [0, 1, -1],
      [-1, -1, 7],
    ],
  } as unknown as TargiView
  const at = (place: number) => markerAt(goods, view, place).map((one, axis) => one - (corner(place)[axis] ?? 0))

  test('a marker lies beside the goods of a card, and hides neither effect nor price of a family', () => {
    expect(at(16)).toEqual([25, 114])
    expect(at(17)).toEqual([74, 114])
    const [x = 0, y = 0] = at(18)
    expect(x + 24).toBeLessThan(72) // the crosses
    expect(y + 24).toBeLessThan(82) // effect and price
  })

  test('the menu of a place hides nothing of the line it looks along', () => {
    for (const place of [0, 1, 2, 8, 9, 10]) {
      const from = besideLine(place)[0]
      const column = corner(place)[0]
      expect(from >= column + 100 || from + 320 <= column + 6).toBe(true)
    }
    for (const place of [4, 5, 6, 12, 13, 14]) expect(besideLine(place)[1]).toBeGreaterThan(corner(place)[1] + 139)
  })
})

describe('Targi: what a button says', () => {
  const game = {
    words: {
      single: { dates: 'date', salt: 'salt' },
      price: { goods: 'goods', gold: 'gold' },
      prize: { cross: '1 silver cross' },
    },
    components: {
      silversmith: { goods: { 2: 1, 4: 3 }, gold: { 1: 1, 2: 4 } },
      cards: { border: [{ action: 'raid', goods: 2 }] },
    },
  } as unknown as GameDetails
  const view = { phase: 'choosing', robber: 0 } as TargiView
  const said = (name: string, args: Record<string, number>, phase: TargiView['phase'] = 'choosing') =>
    briefly({ id: 0, name, args, text: '', words: '' }, game, { ...view, phase })

  test('a good, a price or a prize is named in a word', () => {
    expect(said('choose', { good: 1 })).toBe('salt')
    expect(said('price', { price: 1 })).toBe('gold')
    expect(said('prize', { prize: 2 })).toBe('1 silver cross')
    expect(said('give', { stuff: 0 }, 'raid_goods')).toBe('date')
    expect(said('done', {})).toBe('')
  })

  test('the Silversmith pays by kind and number', () => {
    expect(crossesFor(game, 0, 4)).toBe(3)
    expect(crossesFor(game, 3, 2)).toBe(4)
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
    const areas = [
      { area: 'settlement', strategic: 4, economic: 4 },
      { area: 'guelta', strategic: 3, economic: 3 },
    ]
    const board = { terrain: [0, 1, 0], owner: [0, 1, 0], home: [0, 2] }
    const view = { silver: [0, 0], ...board, notes: { areas } } as unknown as TarguiView
    const lines = targui(view, words({ area: {} }))
    expect([0, 1].map((seat) => lines.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0))).toEqual([8, 0])
  })
})

describe('Targui: a march that can only be an attack', () => {
  /** a1 between salt seas: the only way leads to b2 */
  const corner = (way: string, camels: number): TarguiView => {
    const terrain = Array.from({ length: 49 }, (_, field) => (field === 1 ? 1 : field === 7 ? 2 : 0))
    const owner = terrain.map((_, field) => (field === 0 ? 0 : field === 8 ? 1 : -1))
    return {
      terrain,
      notes: { areas: [{ area: 'erg' }, { area: 'chott' }, { area: way }] },
      owner,
      camels: owner.map((one, field) => (field === 8 ? camels : one + 1)),
    } as unknown as TarguiView
  }

  test('is found where a single way leads to enemy camels', () => {
    expect(onlyPrey(corner('chott', 3), 0)).toBe(8)
    expect(onlyPrey(corner('chott', 0), 0)).toBe(-1)
    expect(onlyPrey(corner('erg', 3), 0)).toBe(-1)
  })

  test('is confirmed by people like any other attack', () => {
    const march = { id: 1, name: 'march', args: { field: 0 }, text: '', words: '' }
    expect(targuiUi.reveals(march, corner('chott', 3))).toBe(true)
    expect(targuiUi.reveals(march, corner('erg', 3))).toBe(false)
  })
})

describe('Targui: how many camels march or are bought', () => {
  const at = (view: Partial<TarguiView>) => targuiUi.usual([1, 2, 3], view as TarguiView)

  test('one stays in a settlement unless the person wants otherwise', () => {
    expect(at({ phase: 'leading', origin: 9, home: [9, 40] })).toBe(2)
    expect(at({ phase: 'leading', origin: 10, home: [9, 40] })).toBeUndefined()
    expect(at({ phase: 'buying', origin: 9, home: [9, 40] })).toBeUndefined()
  })

  test('as many are bought as can be, where nobody sits in the last seats, too', () => {
    expect(at({ phase: 'paying', origin: -1, target: 9, home: [9, 40, 23, -1] })).toBeUndefined()
  })
})

describe('Targi: the Trader', () => {
  const tribe = [{ effect: 'even_trade' }, {}]
  const game = { components: { trader: { for_gold: 3, for_good: 2 }, cards: { tribe } } } as unknown as GameDetails
  const display = (card: number): TargiView => ({ seat: 0, display: [[[card, -1, -1, -1]], [[0]]] }) as unknown as TargiView

  test('takes three goods for gold, two for a good, and one with the card that allows it', () => {
    expect(goodsForTrade(game, display(1), 3)).toBe(3)
    expect(goodsForTrade(game, display(1), 0)).toBe(2)
    expect(goodsForTrade(game, display(0), 0)).toBe(1)
    expect(goodsForTrade(game, display(0), 3)).toBe(3)
  })
})

describe('Tuareg: what lies in caves and under thieves', () => {
  const view = {
    caves: [
      [1, 1, 1],
      [0, 2, 0],
    ],
    cave_goods: [
      [0, 1, 0, 1],
      [0, 0, 0, 0],
    ],
    cave_seen: [
      [0, 0, 1, 0],
      [1, 0, 0, 0],
    ],
    thieves: [1, 0],
    loot_count: 2,
    loot_owner: [0, 1, -1],
    loot_good: [2, -1, -1],
  } as unknown as TuaregView

  test('the own goods are shown, the fullest cave first', () => {
    expect(inCaves(view, 0)).toEqual([
      { holds: 2, known: ['gold', 'salt'] },
      { holds: 1, known: ['millet'] },
      { holds: 0, known: [] },
    ])
    expect(underThieves(view, 0)).toEqual([
      { holds: 1, known: ['salt'] },
      { holds: 0, known: [] },
    ])
  })

  test('of others only what everybody saw', () => {
    expect(inCaves(view, 1)).toEqual([
      { holds: 1, known: ['water'] },
      { holds: 1, known: [] },
    ])
    expect(underThieves(view, 1)).toEqual([{ holds: 1, known: [] }])
  })
})

describe('Tuareg: what has changed', () => {
  const event = (kind: string, args: Record<string, number>) => ({ ply: 1, seat: 1, kind, args: { seat: 1, ...args }, text: '' })

  test('a hand is larger by what was drawn, less what has left it', () => {
    const hand = (...told: ReturnType<typeof event>[]) => tuaregChanges([event('drew', { number: 3 }), ...told]).get('hand-1')
    expect(hand(event('gave', { good: 0 }), event('gave', { good: 3 }))).toBe(1)
    expect(hand(event('loaded', { good: 0, animal: 0 }))).toBe(2)
    expect(hand(event('paid', { good: 0, place: 0 }), event('paid', { good: 0, place: 1 }))).toBe(2)
    expect(hand(event('hid', { cave: 0 }), event('hid_seen', { good: 0, animal: 0, cave: 0 }))).toBe(2)
  })

  test('the last round begins after the turn that has emptied the deck, and ends with the game', () => {
    const view = { over: null, deck_size: 0, turns_left: 3, seats: 3 }
    const last = (more: object) => isLastRound({ ...view, ...more } as unknown as TuaregView)
    expect([last({}), last({ turns_left: 2 }), last({ turns_left: 0 })]).toEqual([false, true, true])
    expect([last({ turns_left: 0, deck_size: 20 }), last({ turns_left: 0, over: 'second stage' })]).toEqual([false, false])
  })
})

describe('Tuareg: a shared device is handed over', () => {
  const bare = {
    hand_size: [0, 3],
    cave_goods: [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
    cave_seen: [
      [1, 0, 0, 0],
      [0, 0, 0, 0],
    ],
    loot_count: 1,
    loot_good: [2, -1],
    loot_seen: [1, 0],
  }
  const secret = (more: object = {}) => tuaregUi.secrets({ ...bare, ...more } as unknown as TuaregView, 0)

  test('for a hand, for what came from it into a cave, and for what was stolen from a hand', () => {
    expect(secret({ hand_size: [1, 3] })).toBe(true)
    expect(
      secret({
        cave_goods: [
          [0, 1, 0, 0],
          [0, 0, 0, 0],
        ],
      }),
    ).toBe(true)
    expect(secret({ loot_seen: [0, 0] })).toBe(true)
  })

  test('not for what everybody saw', () => {
    expect(secret()).toBe(false)
    expect(secret({ loot_good: [-1, -1], loot_seen: [0, 0] })).toBe(false)
  })
})

describe('Timbuktu: what thieves take from a camel', () => {
  const view = {
    load: [[[1, 0, 2, 0, 1]]],
    notes: { stolen: [[[1, 0, 0, 1, 0]], [[0.5, 0, 0.25, 0, 0]]] },
  } as unknown as TimbuktuView
  const camel = { seat: 0, camel: 0, there: false, pen: 0, stall: 0 }

  test('every good counts with the chance that it is taken', () => {
    expect(expectedLoss(view, camel, 0, 0, false)).toBe(1)
    expect(expectedLoss(view, camel, 1, 0, false)).toBe(1)
  })

  test('a way that costs a good is paid with the one most in danger', () => {
    expect(expectedLoss(view, camel, 0, 0, true)).toBe(0)
    expect(expectedLoss(view, camel, 1, 0, true)).toBe(0.5)
  })
})

describe('Timbuktu: a shared device is handed over', () => {
  const secret = (phase: string, sets: unknown[]) => timbuktuUi.secrets({ phase, notes: { sets } } as unknown as TimbuktuView)

  test('once thieves are dealt, and while camels are loaded in secret, but not for open placement', () => {
    expect(secret('placing', [])).toBe(false)
    expect(secret('loading', [])).toBe(true)
    expect(secret('choosing', [{}])).toBe(true)
  })
})

describe('a scoring adds up', () => {
  test('what is not counted yet is a line of its own', () => {
    const lines = [{ text: 'a', points: [3, 0] }]
    expect(addingUp(lines, [3, 0])).toEqual(lines)
    expect(addingUp(lines, [5, 1]).map((line) => line.points)).toEqual([
      [3, 0],
      [2, 1],
    ])
  })
})

test('what camels of Targui a fight cost counts for their owner alone, and its way stays one of a fight', () => {
  const told = (kind: string, args: Record<string, number>): EventInfo => ({ ply: 1, seat: 0, kind, args, text: '' })
  const fight = [
    told('attacked', { seat: 0, origin: 1, field: 2 }),
    told('struck', { seat: 0, field: 2, camels: 2 }),
    told('conquered', { seat: 0, field: 2 }),
    told('marched', { seat: 0, origin: 1, field: 2, camels: 5 }),
  ]
  const { ways, camels } = changes(fight)
  expect(ways).toEqual([{ seat: 0, from: 1, to: 2, fight: true }])
  expect(camels).toEqual(
    new Map([
      [1, -5],
      [2, 5],
    ]),
  )
})
