/** Makes an element focusable while it overflows, so that it can be scrolled by keyboard. */

import type { Attachment } from 'svelte/attachments'

export const scrolls: Attachment<HTMLElement> = (element) => {
  const look = () => {
    if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
  const watch = new ResizeObserver(look)
  watch.observe(element)
  for (const child of element.children) watch.observe(child)
  return () => watch.disconnect()
}
