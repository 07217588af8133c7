import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import shared from '../../tests/engine/catalog.json'
import { Catalog, type Values } from '../src/lib/i18n/catalog'
import { CATALOGS, ENGLISH, firstKnown } from '../src/lib/i18n/languages'

const keys = ENGLISH.keys()
const braces = (text = '') => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]))].sort()

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? sources(path) : /\.(svelte|ts)$/.test(name) ? [readFileSync(path, 'utf8')] : []
  })
}

/** What may be a key among the strings of the page; where a template has a value, any text may stand. */
function mentioned(source: string): RegExp[] {
  const plain = [...source.matchAll(/'([a-z]\w*\.[\w.]+)'/g)].map((match) => match[1] ?? '')
  const templates = [...source.matchAll(/`([a-z]\w*\.(?:[\w.]|\$\{[\w. ()]+\})+)`/g)].map((match) => match[1] ?? '')
  return [...plain, ...templates].map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.]+')}$`))
}

describe('the languages', () => {
  test('a file is a language', () => {
    expect(Object.values(CATALOGS).map((words) => words.say('language.name'))).toEqual(
      expect.arrayContaining(['English', 'Deutsch']),
    )
  })

  test('the first wish that can be fulfilled counts, in any country', () => {
    expect(firstKnown([null, 'xx', 'de-AT', 'en'])).toBe('de')
    expect(firstKnown(['xx'])).toBe('en')
  })

  test('German says everything', () => {
    expect(keys.filter((key) => !CATALOGS.de?.keys().includes(key))).toEqual([])
  })
})

describe.each(Object.entries(CATALOGS))('the words of the page: %s', (_, words) => {
  test('no key is left over', () => {
    expect(words.keys().filter((key) => !keys.includes(key))).toEqual([])
  })

  test.each(words.keys())('%s says something, with the same values', (key) => {
    expect(words.find(key)?.trim()).not.toBe('')
    expect(braces(words.find(key))).toEqual(braces(ENGLISH.find(key)))
  })

  test('nobody shouts', () => {
    for (const key of words.keys()) expect(words.find(key)).not.toContain('!')
  })
})

describe('the words of the page', () => {
  const page = sources('src')

  test('every key asked for is there', () => {
    const asked = page.flatMap((source) => [...source.matchAll(/\bt\('([\w.]+)'/g)].map((match) => match[1] ?? ''))
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((key) => !keys.includes(key))).toEqual([])
  })

  test('every key is asked for', () => {
    const asked = page.flatMap(mentioned)
    expect(keys.filter((key) => !asked.some((pattern) => pattern.test(key)))).toEqual([])
  })
})

describe('a catalog', () => {
  const words = new Catalog(shared.other, new Catalog(shared.english))

  test.each(shared.cases as { key: string; values?: Values; text: string }[])(
    '$key with $values: $text',
    ({ key, values, text }) => {
      expect(words.say(key, values)).toBe(text)
    },
  )
})
