/** Cards for figures and for the page of pictures; at a table they come from the game's components. */

import type { Border } from './art/BorderCard.svelte'
import type { Gain } from './art/GainCard.svelte'
import type { Tribe } from './art/TribeCard.svelte'

export const BORDERS: readonly Border[] = [
  { id: 'noble', action: 'noble' },
  { id: 'dates2', action: 'goods', good: 'dates' },
  { id: 'salt3', action: 'goods', good: 'salt' },
  { id: 'raid4', action: 'raid', goods: 1, crosses: 1 },
  { id: 'trader', action: 'trader' },
  { id: 'pepper6', action: 'goods', good: 'pepper' },
  { id: 'dates7', action: 'goods', good: 'dates' },
  { id: 'raid8', action: 'raid', goods: 2, crosses: 1 },
  { id: 'mirage', action: 'mirage' },
  { id: 'silversmith', action: 'silversmith' },
  { id: 'pepper11', action: 'goods', good: 'pepper' },
  { id: 'raid12', action: 'raid', goods: 3, crosses: 2 },
  { id: 'caravan', action: 'caravan' },
  { id: 'expansion', action: 'expansion' },
  { id: 'salt15', action: 'goods', good: 'salt' },
  { id: 'raid16', action: 'raid', gold: 1, crosses: 3 },
]

export const GAINS: readonly Gain[] = [
  { dates: 1 },
  { salt: 1 },
  { pepper: 1 },
  { dates: 2 },
  { salt: 2 },
  { pepper: 2 },
  { salt: 1, pepper: 1 },
  { dates: 1, pepper: 1 },
  { dates: 1, salt: 1 },
  { choice: 1 },
  { gold: 1 },
  { crosses: 1 },
]

export const TRIBES: readonly Tribe[] = [
  { id: 'T01', symbol: 'oasis', crosses: 3, cost: { dates: 1, salt: 1, gold: 1 } },
  { id: 'T04', symbol: 'rider', crosses: 2, cost: { dates: 1, salt: 2, pepper: 1 } },
  { id: 'T07', symbol: 'well', crosses: 2, cost: { dates: 2, salt: 1, pepper: 1 } },
  { id: 'T09', symbol: 'tent', crosses: 2, cost: { pepper: 1, gold: 1 } },
  { id: 'T14', symbol: 'targia', crosses: 3, cost: { dates: 1, salt: 2, pepper: 2 } },
  { id: 'T15', symbol: 'oasis', crosses: 1, cost: { pepper: 1, gold: 1 }, effect: 'end_pairs', argument: 'well' },
  { id: 'T20', symbol: 'rider', crosses: 1, cost: { gold: 1 }, effect: 'end_most_cards', argument: 1 },
  { id: 'T21', symbol: 'tent', crosses: 1, cost: { dates: 1, pepper: 1 }, effect: 'end_many_cards', argument: 10 },
  { id: 'T22', symbol: 'targia', crosses: 1, cost: { pepper: 2, gold: 1 }, effect: 'end_mixed_rows', argument: 2 },
  { id: 'T23', symbol: 'rider', crosses: 2, cost: { dates: 2, salt: 2, pepper: 1 }, effect: 'end_last_place', argument: 2 },
  { id: 'T24', symbol: 'rider', crosses: 1, cost: { gold: 1 }, effect: 'discount', argument: 'rider' },
  { id: 'T29', symbol: 'oasis', crosses: 1, cost: { salt: 1, pepper: 1, gold: 1 }, effect: 'raid_free' },
  { id: 'T30', symbol: 'tent', crosses: 2, cost: { dates: 1, gold: 1 }, effect: 'noble_discount' },
  { id: 'T31', symbol: 'targia', crosses: 1, cost: { dates: 1, gold: 1 }, effect: 'raid_reward' },
  { id: 'T32', symbol: 'well', crosses: 1, cost: { dates: 1, gold: 1 }, effect: 'on_robber' },
  { id: 'T33', symbol: 'oasis', crosses: 1, cost: { salt: 2, pepper: 1 }, effect: 'harvest', argument: 'salt' },
  { id: 'T36', symbol: 'oasis', crosses: 2, cost: { dates: 1, pepper: 1, gold: 1 }, effect: 'idle_harvest' },
  { id: 'T37', symbol: 'well', crosses: 2, cost: { dates: 1, salt: 2, pepper: 1 }, effect: 'goods_per_cards', argument: 2 },
  { id: 'T38', symbol: 'well', crosses: 2, cost: { salt: 1, pepper: 1, gold: 1 }, effect: 'hand_play' },
  { id: 'T39', symbol: 'tent', crosses: 1, cost: { dates: 1, gold: 1 }, effect: 'even_trade' },
  { id: 'T40', symbol: 'well', crosses: 1, cost: { dates: 1, gold: 1 }, effect: 'stored_gold', argument: 1 },
  { id: 'T41', symbol: 'targia', crosses: 2, cost: { dates: 1, salt: 1, pepper: 2 }, effect: 'windfall', argument: 3 },
  { id: 'T42', symbol: 'rider', crosses: 1, cost: { dates: 2, salt: 1 }, effect: 'goods_per_gaps', argument: 2 },
  { id: 'T43', symbol: 'oasis', crosses: 2, cost: { salt: 1, pepper: 1, gold: 1 }, effect: 'rearrange' },
  { id: 'T44', symbol: 'tent', crosses: 2, cost: { dates: 1, salt: 1, pepper: 2 }, effect: 'fewer_targis', argument: 1 },
]
