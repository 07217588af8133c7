import Camel from '$art/Camel.svelte'
import type { GameBook } from '../contract'
import Figure from './Figure.svelte'
import Exchange from './art/Exchange.svelte'

export default {
  Figure,
  figures: {
    1: { name: 'caravan', box: [560, 130] },
    3: { name: 'cards', box: [480, 150] },
    4: { name: 'way', box: [520, 250] },
    5: { name: 'theft', box: [470, 130] },
  },
  // in English and in German; the beginning of a word is enough
  words: [
    [/^(camels?$|kamele?$)/, { Art: Camel, props: { player: 'blue' }, box: [128, 112] }],
    [/^(exchange field|tauschfeld)/, { Art: Exchange, box: [42, 26] }],
  ],
} satisfies GameBook
