import { GOODS, type TimbuktuView } from './view'

/** What thieves have taken while that is told, which a view shows only afterwards: by seat and camel, then by good. */
export const robbed = $state<{ goods: ReadonlyMap<number, readonly number[]> }>({ goods: new Map() })

const numberOf = (seat: number, camel: number) => seat * 10 + camel

/** Take a good from a camel. */
export function rob(seat: number, camel: number, good: number, count: number): void {
  const before = robbed.goods.get(numberOf(seat, camel))
  const taken = GOODS.map((_, index) => (before?.[index] ?? 0) + (index === good ? count : 0))
  robbed.goods = new Map([...robbed.goods, [numberOf(seat, camel), taken]])
}

/** Return what a camel carries, without what has been taken from it. */
export function loadOf(view: TimbuktuView, seat: number, camel: number): number[] {
  const taken = robbed.goods.get(numberOf(seat, camel))
  return (view.load[seat]?.[camel] ?? []).map((count, good) => count - (taken?.[good] ?? 0))
}
