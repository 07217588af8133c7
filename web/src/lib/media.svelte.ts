/** What kind of screen this is, as state. */

const narrow = matchMedia('(max-width: 700px)')

class Media {
  /** a phone held upright */
  narrow = $state(narrow.matches)

  constructor() {
    narrow.addEventListener('change', () => (this.narrow = narrow.matches))
  }
}

export const media = new Media()
