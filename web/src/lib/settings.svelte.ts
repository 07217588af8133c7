/** The person's settings, kept in this browser. */

import { firstKnown } from './i18n/languages'

export type Theme = 'system' | 'light' | 'night'
export type Speed = 'slow' | 'normal' | 'fast' | 'off'

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`azalai.${name}`)
  } catch {
    return null
  }
}

function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`azalai.${name}`)
    else localStorage.setItem(`azalai.${name}`, value)
  } catch {
    // kept for this visit only
  }
}

function choice<T extends string>(value: string | null, choices: readonly T[], usual: T): T {
  return choices.find((one) => one === value) ?? usual
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')

class Settings {
  #theme = $state<Theme>(choice(stored('theme'), ['system', 'light', 'night'], 'system'))
  #language = $state(firstKnown([stored('language'), ...navigator.languages]))
  #speed = $state<Speed>(choice(stored('speed'), ['slow', 'normal', 'fast', 'off'], 'normal'))
  #sound = $state(stored('sound') === 'on')
  #notify = $state(stored('notify') === 'on' && typeof Notification !== 'undefined' && Notification.permission === 'granted')
  #name = $state(stored('name') ?? '')
  #level = $state(stored('level') ?? '3')
  #systemDark = $state(dark.matches)
  #systemStill = $state(still.matches)

  constructor() {
    dark.addEventListener('change', () => {
      this.#systemDark = dark.matches
      this.#apply()
    })
    still.addEventListener('change', () => (this.#systemStill = still.matches))
    this.#apply()
  }

  get theme(): Theme {
    return this.#theme
  }
  set theme(value: Theme) {
    this.#theme = value
    store('theme', value === 'system' ? null : value)
    this.#apply()
  }

  /** Whether the page is dark now. */
  get night(): boolean {
    return this.#theme === 'night' || (this.#theme === 'system' && this.#systemDark)
  }

  get language(): string {
    return this.#language
  }
  set language(value: string) {
    this.#language = value
    store('language', value)
    this.#apply()
  }

  get speed(): Speed {
    return this.#speed
  }
  set speed(value: Speed) {
    this.#speed = value
    store('speed', value)
  }

  get sound(): boolean {
    return this.#sound
  }
  set sound(value: boolean) {
    this.#sound = value
    store('sound', value ? 'on' : null)
  }

  /** Whether the browser tells when it is one's turn and the page is hidden. */
  get notify(): boolean {
    return this.#notify
  }
  set notify(value: boolean) {
    if (!value) {
      this.#notify = false
      store('notify', null)
    } else if (typeof Notification !== 'undefined') {
      void Notification.requestPermission().then((answer) => {
        this.#notify = answer === 'granted'
        store('notify', this.#notify ? 'on' : null)
      })
    }
  }

  /** What the person wants to be called at a table. */
  get name(): string {
    return this.#name
  }
  set name(value: string) {
    this.#name = value
    store('name', value || null)
  }

  /** The computer player wanted the last time. */
  get level(): string {
    return this.#level
  }
  set level(value: string) {
    this.#level = value
    store('level', value)
  }

  /** Whether this person has seen how a game's table works. */
  knows(game: string): boolean {
    return stored(`knows.${game}`) === 'yes'
  }

  learn(game: string): void {
    store(`knows.${game}`, 'yes')
  }

  /** Whether things should fade instead of travel. */
  get still(): boolean {
    return this.#systemStill
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.night ? 'night' : 'light'
    document.documentElement.lang = this.#language
  }
}

export const settings = new Settings()
