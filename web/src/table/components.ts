/** Components of a game in words: where they are, and their values. Their names are among the game's own words. */

import { has, t } from '$lib/i18n'

export class ComponentWords {
  constructor(readonly game: string) {}

  #word(name: string): string {
    const key = `component.${this.game}.${name}`
    return has(key) ? t(key) : name.replaceAll('_', ' ')
  }

  /** `goods.salt.points` as "goods › salt › points" in the language of the page. */
  path(path: string): string {
    return path
      .split('.')
      .map((name) => this.#word(name))
      .join(' › ')
  }

  /** A value: a number, a name, a list or a small table of these; "none" where the component is not there. */
  value(value: unknown): string {
    if (value === null || value === undefined) return t('variant.none')
    if (typeof value === 'string') return this.#word(value)
    if (typeof value === 'boolean') return t(value ? 'variant.yes' : 'variant.no')
    if (Array.isArray(value))
      return value.map((one) => (Array.isArray(one) ? `(${this.value(one)})` : this.value(one))).join(', ')
    if (typeof value === 'object')
      return Object.entries(value)
        .filter(([name]) => name !== 'id')
        .map(([name, one]) => `${this.#word(name)} ${this.value(one)}`)
        .join(', ')
    return String(value)
  }
}
