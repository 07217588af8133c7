import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Palette = Record<string, string>

function read(): { light: Palette; night: Palette } {
  const own = readdirSync('src/games').map((game) => `src/games/${game}/colours.css`)
  const files = ['src/palette.css', ...own.filter((path) => existsSync(path))].map((path) => readFileSync(path, 'utf8'))
  const parts = files.map((css) => css.split("[data-theme='night'] {"))
  const [light, night] = [0, 1].map((half) => parts.map((part) => part[half] ?? '').join('\n')) as [string, string]
  const colours = (text: string): Palette =>
    Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']))
  return { light: colours(light), night: { ...colours(light), ...colours(night) } }
}

function luminance(colour: string): number {
  const parts = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0)
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Lightness and two axes of colour, in which distances are about those people see. */
function lab(colour: string): readonly [number, number, number] {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  const f = (part: number) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const distance = (one: string, other: string) => Math.hypot(...lab(one).map((part, at) => part - (lab(other)[at] ?? 0)))

const grounds = ['sand-0', 'sand-1', 'sand-2']
const texts = [
  ...grounds.flatMap((ground) => [
    ['ink', ground],
    ['indigo', ground],
  ]),
  ...['sand-0', 'sand-1'].flatMap((ground) => [
    ['ink-soft', ground],
    ['madder', ground],
  ]),
  ['on-indigo', 'indigo'],
  ['on-indigo', 'indigo-strong'],
  ['on-saffron', 'saffron'],
  ['on-glow', 'glow'],
  ['on-madder', 'madder'],
  ['badge-ink', 'badge'],
  ['sand-0', 'ink'],
  ['brick-text', 'brick-lo'],
]
const players = ['blue', 'red', 'green', 'yellow', 'violet', 'white']
const shapes = [
  ['lit-edge', 'saffron'],
  ['glow-edge', 'glow'],
  ['focus-edge', 'saffron'],
  ...['teal-lo', 'saffron-lo', 'slate', 'madder-lo', 'palm-lo', 'clay-lo', 'date-lo', 'coffee-lo', 'millet-lo'].map((edge) => [
    edge,
    'paper',
  ]),
  ...players.map((player) => [`on-${player}`, `player-${player}`]),
  ...['palm', 'lamp', 'star', 'scimitar', 'moon'].map((pen) => [`pen-${pen}`, 'sand-1']), // Timbuktu's pens
]

describe.each(Object.entries(read()))('by %s', (theme, palette) => {
  // cards are paper in their colours by day, also at night
  const colour = (name: string | undefined) => palette[name ?? ''] ?? ''

  test.each(texts)('text: %s on %s', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(shapes.filter(([, ground]) => theme === 'light' || ground !== 'paper'))('shape: %s on %s', (shape, ground) => {
    expect(contrast(colour(shape), colour(ground))).toBeGreaterThanOrEqual(3)
  })

  test.each(players)('what may be chosen glows in another colour than %s', (player) => {
    expect(distance(colour('glow'), colour(`player-${player}`))).toBeGreaterThan(30)
  })

  test.each(players)('%s and its edge: one of them stands out from the sand', (player) => {
    for (const ground of ['sand-0', 'sand-1']) {
      const best = Math.max(
        contrast(colour(`player-${player}`), colour(ground)),
        contrast(colour(`player-${player}-lo`), colour(ground)),
      )
      expect(best).toBeGreaterThanOrEqual(3)
    }
  })
})
