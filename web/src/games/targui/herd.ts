/** How herds are drawn. */

/** How many camels are drawn for a herd, from 1 to 4. */
export const herdSize = (camels: number): number => (camels >= 20 ? 4 : camels >= 10 ? 3 : camels >= 4 ? 2 : 1)

/** Place and scale of each camel on a tile of 100 by 100, by how many are drawn. */
export const HERDS = [
  [[26, 36, 0.46]],
  [
    [12, 40, 0.4],
    [38, 34, 0.42],
  ],
  [
    [6, 44, 0.37],
    [38, 46, 0.37],
    [24, 28, 0.37],
  ],
  [
    [4, 46, 0.35],
    [38, 48, 0.35],
    [12, 26, 0.35],
    [44, 26, 0.35],
  ],
] as const
