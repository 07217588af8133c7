/** Which page is shown: the address bar, as state. */

import { read } from './route'

class Router {
  route = $state(read(location.pathname))
  hash = $state(location.hash)
  /** how often another page has been shown since the first */
  visits = $state(0)

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
    const { page, about } = this.route
    this.route = read(location.pathname)
    this.hash = location.hash
    if (this.route.page === page && this.route.about === about) return
    this.visits += 1
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur() // the keyboard begins at the top, as on a new page
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
