/** What a verdict says of chances to win: whole percents that agree with each other. */

/** Return a chance in whole percent; the server rounds chances to four digits, and sums of them are as exact. */
export const percent = (chance: number) => Math.round(Math.round(chance * 10_000) / 100)

/** Return the chances of a move and of the best one, and what the move gives away, all as they are said. */
export function compare(chance: number, loss: number): { own: number; best: number; lost: number } {
  const [own, best] = [percent(chance), percent(chance + loss)]
  return { own, best, lost: best - own }
}
