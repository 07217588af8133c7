/** Addresses of the page. */

export interface Route {
  page: 'start' | 'table' | 'rules' | 'transfer' | 'call' | 'player' | 'best' | 'puzzles' | 'puzzle' | 'tournament' | 'not-found'
  /** what the page is about: a table's id, a game's name, a player's public id (empty: oneself), a puzzle's or tournament's id */
  about: string
}

export function read(path: string): Route {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent)
  if (rest.length === 0) {
    if (first === '') return { page: 'start', about: '' }
    if (first === 'call' && second === '') return { page: 'call', about: '' }
    if (first === 'move' && second === '') return { page: 'transfer', about: '' }
    if (first === 'table' && second !== '') return { page: 'table', about: second }
    if (first === 'rules' && second !== '') return { page: 'rules', about: second }
    if (first === 'tournament' && second !== '') return { page: 'tournament', about: second }
    if (first === 'player') return { page: 'player', about: second }
    if (first === 'puzzles') return { page: 'puzzles', about: second }
    if (first === 'puzzle' && second !== '') return { page: 'puzzle', about: second }
    if (first === 'best') return { page: 'best', about: second }
  }
  return { page: 'not-found', about: path }
}
