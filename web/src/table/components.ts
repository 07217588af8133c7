/** Components of a game in words: where they are, and their values. */

import { has, t } from '$lib/i18n'

const word = (name: string): string => (has(`component.${name}`) ? t(`component.${name}`) : name.replaceAll('_', ' '))

/** `goods.salt.points` as "goods › salt › points" in the language of the page. */
export function componentText(path: string): string {
  return path.split('.').map(word).join(' › ')
}

/** A value: a number, a name, a list or a small table of these; "none" where the component is not there. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return t('variant.none')
  if (typeof value === 'string') return word(value)
  if (typeof value === 'boolean') return t(value ? 'variant.yes' : 'variant.no')
  if (Array.isArray(value)) return value.map((one) => (Array.isArray(one) ? `(${valueText(one)})` : valueText(one))).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([name]) => name !== 'id')
      .map(([name, one]) => `${word(name)} ${valueText(one)}`)
      .join(', ')
  return String(value)
}
