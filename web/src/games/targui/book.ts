import type { GameBook, WordPicture } from '../contract'
import Figure from './Figure.svelte'
import Terrain from './art/Terrain.svelte'
import type { TerrainKind } from './art/kinds'

const terrain = (kind: TerrainKind): WordPicture => ({
  Art: Terrain,
  props: { kind, player: kind === 'settlement' ? 'blue' : undefined },
  box: [100, 100],
})

export default {
  Figure,
  figures: {
    1: { name: 'desert', box: [864, 104] },
    3: { name: 'pack', box: [640, 150] },
    6: { name: 'fight', box: [420, 134] },
    9: { name: 'fate', box: [322, 292] },
  },
  // in English and in German; the beginning of a word is enough
  words: [
    [/^(sand dunes|dünen|sanddünen)/, terrain('erg')],
    [/^(hills|hügel)/, terrain('reg')],
    [/^(oas[ie]s|oasen?)/, terrain('guelta')],
    [/^(mountain|gebirge|berge)/, terrain('mountain')],
    [/^(sand plain|sandfläche)/, terrain('feche')],
    [/^(salt sea|salzmeer)/, terrain('chott')],
    [/^(great saline|große saline)/, terrain('saline')],
    [/^(settlement|siedlung)/, terrain('settlement')],
  ],
} satisfies GameBook
