import { usefulMarks } from '$lib/moves'
import type { GameUi } from '../contract'
import Board from './Board.svelte'
import LogIcons from './LogIcons.svelte'
import Player from './Player.svelte'
import SidePanel from './SidePanel.svelte'
import Status from './Status.svelte'
import { ONWARD } from './changes'
import { scoring } from './scoring'
import { onlyPrey, type TarguiView } from './view'

/** Whether the number asked for is of camels that leave a field; the other is of camels to buy. */
const marches = (view: TarguiView) => view.phase === 'leading' || view.phase === 'entering'

export default {
  Board,
  SidePanel,
  Player,
  Status,
  LogIcons,
  scoring,
  buttons: ['strike', 'retreat', 'stay', 'done'],
  number: 'camels',
  // all but one: the field they leave stays held
  marks: (values, view: TarguiView) => usefulMarks(values, marches(view) ? [(values.at(-1) ?? 1) - 1, 5] : [5]),
  // a settlement is not left empty by mistake
  usual: (values, view: TarguiView) =>
    marches(view) && view.home.includes(view.origin) && values.length > 1 ? values.at(-2) : undefined,
  // an attack begins with a roll of the die
  reveals: (move, view: TarguiView) => {
    const field = move.args.field ?? 0
    if (move.name === 'march') return onlyPrey(view, field) >= 0
    return move.name === 'to' && (view.camels[field] ?? 0) > 0 && view.owner[field] !== view.owner[view.origin]
  },
  onward: ONWARD,
  ownHeight: 146,
  secrets: () => false,
  guide: { opening: ['settling'] },
} satisfies GameUi
