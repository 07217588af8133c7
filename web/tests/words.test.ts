import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { en } from '../src/lib/i18n/en'
import { fill } from '../src/lib/i18n/fill'
import { LANGUAGES, firstKnown } from '../src/lib/i18n/languages'

const braces = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort()

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : /\.(svelte|ts)$/.test(name) ? [path] : []
  })
}

describe('the languages', () => {
  test('a file is a language', () => {
    expect(Object.values(LANGUAGES).map((language) => language.name)).toEqual(expect.arrayContaining(['English', 'Deutsch']))
  })

  test('the first wish that can be fulfilled counts, in any country', () => {
    expect(firstKnown([null, 'xx', 'de-AT', 'en'])).toBe('de')
    expect(firstKnown(['xx'])).toBe('en')
  })
})

describe.each(Object.entries(LANGUAGES))('the words of the page: %s', (_, { words }) => {
  test('no key is missing, and none is left over', () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort())
  })

  test.each(Object.keys(en) as (keyof typeof en)[])('%s says something, with the same values', (key) => {
    expect(words[key].trim()).not.toBe('')
    expect([...new Set(braces(words[key]))].sort()).toEqual([...new Set(braces(en[key]))].sort())
  })

  test('nobody shouts', () => {
    for (const text of Object.values(words)) expect(text).not.toContain('!')
  })
})

describe('the words of the page', () => {
  test('every key asked for in the page is there', () => {
    const asked = files('src').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bt\('([\w.]+)'/g)].map((match) => match[1]),
    )
    expect(asked.filter((key) => key !== undefined && !(key in en))).toEqual([])
  })
})

describe('sentences with braces', () => {
  test('values and numbers are filled in', () => {
    expect(fill('{n} {n|camel|camels} for {name}', { n: 1, name: 'Blue' })).toBe('1 camel for Blue')
    expect(fill('{n} {n|camel|camels} for {name}', { n: 3, name: 'Blue' })).toBe('3 camels for Blue')
  })

  test('what is not known is a question mark', () => {
    expect(fill('{who} pays', {})).toBe('? pays')
  })
})
