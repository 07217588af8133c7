/** This browser's push subscription. */

import { api, type Callback } from './api'

export type PushSupport = 'possible' | 'none' | 'insecure' | 'denied'

export function support(): PushSupport {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || typeof Notification === 'undefined') return 'none'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

/** Where the push service reaches this browser; null while it is not called. */
export async function endpoint(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription())?.endpoint ?? null
}

/** Have this browser called; undefined where the person does not allow it. */
export async function subscribe(key: string): Promise<Callback | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await navigator.serviceWorker.ready
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { keys } = made.toJSON()
  return api.addPush({ endpoint: made.endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } })
}

/** End it, so that nobody can call this browser any more. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
