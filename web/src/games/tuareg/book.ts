import Good from '$art/Good.svelte'
import Thief from '$art/Thief.svelte'
import type { GoodKind } from '$art/kinds'
import type { GameBook, WordPicture } from '../contract'
import Figure from './Figure.svelte'
import Cave from './art/Cave.svelte'
import Donkey from './art/Donkey.svelte'
import MapPicture from './art/Map.svelte'

const good = (kind: GoodKind): WordPicture => ({ Art: Good, props: { kind }, box: [48, 48] })

export default {
  Figure,
  figures: {
    1: { name: 'goods', box: [448, 144] },
    5: { name: 'load', box: [470, 206] },
    6: { name: 'market', box: [420, 150] },
    8: { name: 'specials', box: [448, 144] },
  },
  // in English and in German; the beginning of a word is enough; not in the rows of a load, which begin with a good and a comma
  words: [
    [/^(water|wasser)(?!,)/, good('water')],
    [/^gold(?!,)/, good('gold')],
    [/^(rock salt|salt( \(|$)|steinsalz|salz( \(|$))/, good('salt')],
    [/^(millet|hirse)(?!,)/, good('millet')],
    [/^(donkey|esel)/, { Art: Donkey, box: [112, 96] }],
    [/^(cave|höhle)/, { Art: Cave, box: [96, 80] }],
    [/^(thie|dieb)/, { Art: Thief, box: [64, 80] }],
    [/^(map|landkarte)/, { Art: MapPicture, box: [96, 80] }],
  ],
} satisfies GameBook
