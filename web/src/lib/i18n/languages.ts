/**
 * The languages of the page: each file `words/<language>.toml` is one. Parts of the page have their words in a folder `words` of their
 * own, and so have games. In the page's keys a game's name comes after the section: `goal` of `[guide]` is `guide.<game>.goal`. What
 * stands above all sections is `<game>.name`.
 */

import { Catalog, type Sentences } from './catalog'

const pageFiles = import.meta.glob<Sentences>(['../../words/*.toml', '../../table/words/*.toml', '../../pages/*/words/*.toml'], {
  eager: true,
  import: 'default',
})
const gameFiles = import.meta.glob<Sentences>('../../games/*/words/*.toml', { eager: true, import: 'default' })

function languageOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.toml'.length)
}

function gather(language: string): Sentences {
  const all: Record<string, Record<string, string>> = {}
  for (const [path, sentences] of Object.entries(pageFiles))
    if (languageOf(path) === language) Object.assign(all, structuredClone(sentences))
  for (const [path, sentences] of Object.entries(gameFiles)) {
    if (languageOf(path) !== language) continue
    const game = path.split('/').at(-3) ?? ''
    for (const [name, entry] of Object.entries(sentences))
      if (typeof entry === 'string') (all[game] ??= {})[name] = entry
      else for (const [inner, sentence] of Object.entries(entry)) (all[name] ??= {})[`${game}.${inner}`] = sentence
  }
  return all
}

export const ENGLISH = new Catalog(gather('en'))

export const CATALOGS: Readonly<Record<string, Catalog>> = Object.fromEntries(
  Object.keys(pageFiles)
    .filter((path) => path.startsWith('../../words/'))
    .map(languageOf)
    .map((language) => [language, language === 'en' ? ENGLISH : new Catalog(gather(language), ENGLISH)]),
)

/** The first of these wishes that is a language of the page. */
export function firstKnown(wishes: readonly (string | null)[]): string {
  return wishes.map((wish) => wish?.split('-')[0]).find((wish) => wish !== undefined && wish in CATALOGS) ?? 'en'
}
