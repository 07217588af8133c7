/** How a fight will probably go, if nobody breaks it off. */

/** Camels lost to a strike from a field of this strategic value, for each side of the die. */
export function losses(strategic: number): number[] {
  return [1, 2, 3, 4, 5, 6].map((die) => Math.floor((strategic + die) / 2))
}

export interface Side {
  camels: number
  strategic: number
}

/** The attacker's chance to win when it is the attacker's turn to strike, and the camels left then on average. */
export function odds(attacker: Side, defender: Side): { win: number; left: number } {
  const strikes = losses(attacker.strategic)
  const returns = losses(defender.strategic)
  const known = new Map<number, { win: number; left: number }>()

  function from(mine: number, theirs: number): { win: number; left: number } {
    const key = mine * 1000 + theirs
    const seen = known.get(key)
    if (seen) return seen
    let [win, left, again] = [0, 0, 0]
    for (const strike of strikes) {
      if (strike >= theirs) {
        win += 1 / 6
        left += mine / 6
        continue
      }
      for (const back of returns) {
        if (back >= mine) continue
        if (strike === 0 && back === 0) again += 1 / 36
        else {
          const next = from(mine - back, theirs - strike)
          win += next.win / 36
          left += next.left / 36
        }
      }
    }
    const found = { win: win / (1 - again), left: left / (1 - again) }
    known.set(key, found)
    return found
  }

  if (defender.camels === 0) return { win: 1, left: attacker.camels }
  if (attacker.camels === 0) return { win: 0, left: 0 }
  const total = from(attacker.camels, defender.camels)
  return { win: total.win, left: total.win > 0 ? total.left / total.win : 0 }
}
