/** Which page is shown: the address bar, as state. */

import { read } from './route'

class Router {
  route = $state(read(location.pathname))
  hash = $state(location.hash)

  constructor() {
    addEventListener('popstate', () => this.#follow())
    addEventListener('click', (event) => this.#click(event))
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path)
    else history.pushState(null, '', path)
    this.#follow()
    scrollTo(0, 0)
  }

  #follow(): void {
    this.route = read(location.pathname)
    this.hash = location.hash
  }

  /** Links inside the page need no reload. */
  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname.startsWith('/api/') || (link.pathname === location.pathname && link.hash)) return
    event.preventDefault()
    this.go(link.pathname + link.search + link.hash)
  }
}

export const router = new Router()
