/** What went wrong, in the language of the page: by the code of the server's error, else by its English sentence. */

import { ApiError, Unreachable } from './api'
import { has, t } from './i18n'

export function failure(error: unknown): string {
  if (error instanceof Unreachable) return t('app.offline')
  if (error instanceof ApiError && has(`error.${error.code}`)) return t(`error.${error.code}`, { message: error.message })
  return t('app.failed', { reason: (error as Error).message })
}
