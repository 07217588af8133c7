/**
 * The sentences of one language, by keys like `section.name`. `{n}` in a sentence is a value, `{n|camel|camels}` a word chosen by
 * number. `azalai/engine/words.py` reads catalogs by the same rules; `tests/engine/catalog.json` has cases for both.
 */

export type Values = Record<string, string | number>

/** What a catalog's file holds: sentences, and tables of them. */
export interface Sentences {
  [name: string]: string | Record<string, string>
}

export class Catalog {
  /** What the catalog itself does not have, `fallback` says. */
  constructor(
    private readonly own: Sentences,
    private readonly fallback?: Catalog,
  ) {}

  /** The sentence as it is written; undefined where there is none. */
  find(key: string): string | undefined {
    const dot = key.indexOf('.')
    const found =
      dot < 0 ? this.own[key] : (this.own[key.slice(0, dot)] as Record<string, string> | undefined)?.[key.slice(dot + 1)]
    return typeof found === 'string' ? found : this.fallback?.find(key)
  }

  /** The sentence with its values; a key that nobody knows is said as it is. */
  say(key: string, values: Values = {}): string {
    return fill(this.find(key) ?? key, values)
  }

  /** All keys of the catalog itself. */
  keys(): string[] {
    return Object.entries(this.own).flatMap(([name, entry]) =>
      typeof entry === 'string' ? [name] : Object.keys(entry).map((inner) => `${name}.${inner}`),
    )
  }
}

function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = values[name]
    if (one !== undefined) return String(value) === '1' ? one : (many ?? '')
    return value === undefined ? '?' : String(value)
  })
}
