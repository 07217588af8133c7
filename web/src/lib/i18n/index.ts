/** The page in a person's language. `t('table.points', { n: 3 })` follows the setting at once. */

import { settings } from '../settings.svelte'
import { en, type Key } from './en'
import { fill, type Values } from './fill'
import { LANGUAGES } from './languages'

export type { Key } from './en'

export function t(key: Key, values: Values = {}): string {
  return fill((LANGUAGES[settings.language]?.words ?? en)[key], values)
}

/** Whether the page has words under this key; a game may bring none of its own. */
export function has(key: string): key is Key {
  return key in en
}

/** "A, B and C" in the language of the page. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(settings.language, { type: 'conjunction' }).format(names)
}

/** A phrase of a game as a button or a line of its own has it: with a capital. */
export function capital(phrase: string): string {
  return phrase.charAt(0).toLocaleUpperCase(settings.language) + phrase.slice(1)
}
