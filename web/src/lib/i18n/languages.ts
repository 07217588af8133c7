/** The languages of the page. A file of two letters in this folder is one, and needs no other line anywhere. */

import type { Words } from './en'

interface LanguageFile {
  /** what the language calls itself */
  name: string
  words: Words
  /** the language in which the games' own words come, where they have not been translated into this one */
  games?: string
}

const files = import.meta.glob<LanguageFile>('./??.ts', { eager: true })

export const LANGUAGES: Readonly<Record<string, LanguageFile>> = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [path.slice(2, 4), file]),
)

/** One of these languages: the first that somebody wishes for and there is. */
export function firstKnown(wishes: readonly (string | null)[]): string {
  return wishes.map((wish) => wish?.slice(0, 2)).find((wish) => wish !== undefined && wish in LANGUAGES) ?? 'en'
}

/** In which language to ask the server about games. */
export function forGames(language: string): string {
  return LANGUAGES[language]?.games ?? language
}
