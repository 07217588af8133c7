/** Pass an address on: by the device's own sheet where there is one, else by copying it. */

import { t } from './i18n'
import { toast } from './toasts.svelte'

export async function share(title: string, url: string): Promise<void> {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    await navigator.share({ title, url }).catch(() => undefined) // closed without sharing
    return
  }
  if (await copied(url)) toast(t('table.copied'))
  else toast(url)
}

/** Without HTTPS, as in a home network, browsers offer only the old clipboard call. */
async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' })
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

/** Whether the page is served from this machine only, so that its address is useless to others. */
export const onlyHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
