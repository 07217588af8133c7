/** The page in a person's language. `t('table.points', { n: 3 })` follows the setting at once. */

import { settings, type Language } from '../settings.svelte'
import { de } from './de'
import { en, type Key, type Words } from './en'
import { fill, type Values } from './fill'

export type { Key } from './en'

/** Another language is one more file here, and its own name for itself. */
export const LANGUAGES: Record<Language, { name: string; words: Words }> = {
  en: { name: 'English', words: en },
  de: { name: 'Deutsch', words: de },
}

export function t(key: Key, values: Values = {}): string {
  return fill(LANGUAGES[settings.language].words[key], values)
}

/** "A, B and C" in the language of the page. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(settings.language, { type: 'conjunction' }).format(names)
}

/** A phrase of a game as a button or a line of its own has it: with a capital. */
export function capital(phrase: string): string {
  return phrase.charAt(0).toLocaleUpperCase(settings.language) + phrase.slice(1)
}
