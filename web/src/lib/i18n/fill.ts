/** Sentences with braces: `{n}` is a value, `{n|camel|camels}` a word chosen by number. The games' words files have the same form. */

export type Values = Record<string, string | number>

export function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
    const value = values[name]
    if (value === undefined) return '?'
    return one === undefined ? String(value) : Number(value) === 1 ? one : (many ?? '')
  })
}
