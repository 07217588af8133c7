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

export default {
  Board,
  SidePanel,
  Player,
  Status,
  LogIcons,
  scoring,
  buttons: ['strike', 'retreat', 'stay', 'done'],
  number: 'camels',
  marks: (values) => usefulMarks(values, [(values.at(-1) ?? 1) - 1, 5]), // all but one: the field stays held
  // a settlement is not left empty by mistake
  usual: (values, view: TarguiView) =>
    view.phase !== 'buying' && view.home.includes(view.origin) && values.length > 1 ? values.at(-2) : undefined,
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
