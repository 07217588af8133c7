import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { de } from '../src/lib/i18n/de'
import { en } from '../src/lib/i18n/en'
import { fill } from '../src/lib/i18n/fill'

const braces = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort()

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : /\.(svelte|ts)$/.test(name) ? [path] : []
  })
}

describe('the words of the page', () => {
  test('no key is missing in German, and none is left over', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort())
  })

  test.each(Object.keys(en) as (keyof typeof en)[])('%s says something in both languages, with the same values', (key) => {
    expect(en[key].trim()).not.toBe('')
    expect(de[key].trim()).not.toBe('')
    expect([...new Set(braces(de[key]))]).toEqual([...new Set(braces(en[key]))])
  })

  test('nobody shouts', () => {
    for (const text of [...Object.values(en), ...Object.values(de)]) expect(text).not.toContain('!')
  })

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
