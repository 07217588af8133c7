/** What kind of screen this is, as state. */

class Query {
  matches = $state(false)

  constructor(query: string) {
    const list = matchMedia(query)
    this.matches = list.matches
    list.addEventListener('change', () => (this.matches = list.matches))
  }
}

const narrow = new Query('(max-width: 43.75em)')
const low = new Query('(max-height: 850px)')
const touch = new Query('(hover: none)')
const wide = new Query('(min-width: 60em)')
const slim = new Query('(min-width: 60em) and (max-width: 66em)')

export const media = {
  /** a phone held upright */
  get narrow(): boolean {
    return narrow.matches
  },
  /** a laptop's or a tablet's height */
  get low(): boolean {
    return low.matches
  },
  /** fingers only: nothing can be pointed at */
  get touch(): boolean {
    return touch.matches
  },
  /** room for a column beside the board */
  get wide(): boolean {
    return wide.matches
  },
  /** columns on both sides that leave the middle no more room than a phone has */
  get slim(): boolean {
    return slim.matches
  },
}
