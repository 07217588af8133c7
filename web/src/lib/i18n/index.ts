/** The page in a person's language. `t('table.points', { n: 3 })` follows the setting at once. */

import { settings } from '../settings.svelte'
import type { Values } from './catalog'
import { CATALOGS, ENGLISH } from './languages'

/** The sentence of a key like `section.name`. A test looks for each key that the page asks for. */
export function t(key: string, values: Values = {}): string {
  return (CATALOGS[settings.language] ?? ENGLISH).say(key, values)
}

/** Whether there is such a sentence; a game may bring none of its own. */
export function has(key: string): boolean {
  return ENGLISH.find(key) !== undefined
}

/** "A, B and C" in the language of the page. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(settings.language, { type: 'conjunction' }).format(names)
}

/** A phrase of a game as a button or a line of its own has it: with a capital. */
export function capital(phrase: string): string {
  return phrase.charAt(0).toLocaleUpperCase(settings.language) + phrase.slice(1)
}
