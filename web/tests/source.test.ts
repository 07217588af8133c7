import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const LONGEST = 400

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? files(path) : [path]
  })
}

const sources = ['src', 'style', 'tests']
  .flatMap(files)
  .filter((path) => /\.(svelte|ts|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter(({ text }) => !/generated/i.test(text.slice(0, 200)))

describe('the sources of the page', () => {
  test(`no file is longer than ${LONGEST} lines`, () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter((one) => one.lines > LONGEST)
    expect(long).toEqual([])
  })

  test('a game imports nothing from another', () => {
    const games = readdirSync('src/games', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const crossed = games.flatMap(({ name }) =>
      sources
        .filter(({ path }) => path.startsWith(join('src/games', name, '/')))
        .flatMap(({ path, text }) =>
          [...text.matchAll(/from '((?:\.\.?\/)+[^']+)'/g)]
            .map((match) => join(path, '..', match[1] ?? ''))
            .filter((to) => to.startsWith('src/games/') && to !== 'src/games/contract' && !to.startsWith(join('src/games', name)))
            .map((to) => `${path} imports ${to}`),
        ),
    )
    expect(crossed).toEqual([])
  })
})
