/** Clocks in words. */

import type { Clock } from '$lib/api'
import { t } from '$lib/i18n'

/** Those one can choose from. */
export const CLOCKS: Readonly<Record<string, Clock>> = {
  none: { kind: 'none' },
  quick: { kind: 'live', minutes: 10, increment: 10 },
  calm: { kind: 'live', minutes: 30, increment: 20 },
  slow: { kind: 'slow', days: 3 },
}

export function clockText(clock: Clock): string {
  if (clock.kind === 'live') return t('setup.clock.live', { minutes: clock.minutes ?? 0, increment: clock.increment ?? 0 })
  if (clock.kind === 'slow') return t('setup.clock.slow', { days: clock.days ?? 0 })
  return t('setup.clock.none')
}
