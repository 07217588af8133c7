/** Pass an address on: by the device's own sheet where there is one, else by copying it. */

import { t } from './i18n'
import { toast } from './toasts.svelte'

export async function share(title: string, url: string): Promise<void> {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    await navigator.share({ title, url }).catch(() => undefined) // closed without sharing
    return
  }
  await navigator.clipboard.writeText(url)
  toast(t('table.copied'))
}
