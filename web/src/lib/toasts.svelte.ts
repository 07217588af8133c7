/** Short messages at the edge of the page. */

export interface Toast {
  id: number
  text: string
  kind: 'plain' | 'bad'
}

let next = 0

export const toasts = $state<Toast[]>([])

export function toast(text: string, kind: Toast['kind'] = 'plain', ms = 4000): void {
  const id = next++
  toasts.push({ id, text, kind })
  setTimeout(() => {
    const index = toasts.findIndex((one) => one.id === id)
    if (index >= 0) toasts.splice(index, 1)
  }, ms)
}
