/**
 * Hovering, focusing or long-pressing a thing explains it; so does a tap on a thing that does nothing else.
 * `{@attach explain('three camels')}`; `Explanation.svelte` shows it.
 */

import type { Attachment } from 'svelte/attachments'

export interface Explanation {
  text: string
  box: DOMRect
  /** whether it answers a click, so that screen readers say it at once */
  answer?: boolean
}

const DOES = 'a, button, label, [role=button]'
const LONG_PRESS = 450
const HOVER = 350
const ANSWER = 5000

export const explanation = $state<{ now: Explanation | null }>({ now: null })

/** Say something beside a thing that was clicked, until the next click or key or for some seconds. */
export function say(element: Element, text: string): void {
  const said = { text, box: element.getBoundingClientRect(), answer: true }
  explanation.now = said
  const now = explanation.now
  const end = () => {
    if (explanation.now === now) explanation.now = null
  }
  setTimeout(end, ANSWER)
  for (const next of ['pointerdown', 'keydown']) addEventListener(next, end, { once: true, capture: true })
}

/** A click on a thing that cannot be chosen asks why; so does Enter, once the keys of `keys.ts` have walked there. */
export function asks(ask: ((element: Element) => void) | undefined): Attachment<Element> {
  return (element) => {
    if (!ask) return
    const click = () => ask(element)
    const keydown = (event: Event) => {
      if (!['Enter', ' '].includes((event as KeyboardEvent).key)) return
      event.preventDefault()
      ask(element)
    }
    element.setAttribute('tabindex', '-1')
    element.addEventListener('click', click)
    element.addEventListener('keydown', keydown)
    return () => {
      element.removeAttribute('tabindex')
      element.removeEventListener('click', click)
      element.removeEventListener('keydown', keydown)
    }
  }
}

export function explain(text: string | null | undefined): Attachment<Element> {
  return (element) => {
    if (!text) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressed = false
    let touched = false
    const show = () => {
      if (!explanation.now?.answer) explanation.now = { text, box: element.getBoundingClientRect() }
    }
    // later, since a thing may lose the focus because the page is just being changed
    const hide = () => {
      clearTimeout(timer)
      queueMicrotask(() => {
        if (explanation.now?.text === text && !explanation.now.answer) explanation.now = null
      })
    }
    const enter = (event: Event) => {
      if ((event as PointerEvent).pointerType === 'touch') return
      clearTimeout(timer)
      timer = setTimeout(show, HOVER)
    }
    const down = (event: Event) => {
      touched = (event as PointerEvent).pointerType === 'touch'
      if (!touched) return hide()
      pressed = false
      timer = setTimeout(() => {
        pressed = true
        show()
      }, LONG_PRESS)
    }
    const up = (event: Event) => {
      if ((event as PointerEvent).pointerType !== 'touch') return
      clearTimeout(timer)
      if (pressed) setTimeout(hide, 1800)
    }
    // a long press explains; it does not also choose
    const click = (event: Event) => {
      if (!pressed) {
        if (touched && !element.closest(DOES) && !element.hasAttribute('tabindex')) say(element, text)
        return
      }
      pressed = false
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const focus = () => {
      if (element.matches(':focus-visible')) show()
    }
    const list: [string, (event: Event) => void, boolean?][] = [
      ['pointerenter', enter],
      ['pointerleave', hide],
      ['pointerdown', down],
      ['pointerup', up],
      ['pointercancel', hide],
      ['click', click, true],
      ['focus', focus],
      ['blur', hide],
    ]
    for (const [name, handler, capture] of list) element.addEventListener(name, handler, capture)
    return () => {
      hide()
      for (const [name, handler, capture] of list) element.removeEventListener(name, handler, capture)
    }
  }
}
