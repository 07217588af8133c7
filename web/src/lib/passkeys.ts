/** Passkeys of this browser: keeping a name, and signing in with one. */

import { api } from './api'

/** Whether passkeys can be made here: browsers want HTTPS, or this very machine by its name, and no bare network address. */
export const passkeys =
  isSecureContext &&
  typeof PublicKeyCredential !== 'undefined' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  !/^[\d.]+$|:/.test(location.hostname.replace(/^\[|\]$/g, ''))

/** Whether the person closed the browser's question: then nothing is said. */
export function cancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** Make a passkey for the guest of this browser. */
export async function keepName(): Promise<void> {
  const { options } = await api.passkeyOptions()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await api.addPasskey(made.toJSON(), device())
}

/** Become the guest of a passkey that this device has. */
export async function signIn(): Promise<string> {
  const { options } = await api.signInOptions()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON)
  const signed = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return (await api.signIn(signed.toJSON())).name
}

/** A reminder of where a passkey was made: "Firefox, Android". */
function device(): string {
  const agent = navigator.userAgent
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? ''
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(agent)?.[0] ?? ''
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  return [names[browser] ?? browser, system].filter(Boolean).join(', ')
}
