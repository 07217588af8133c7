import Good from '$art/Good.svelte'
import Tokens from '$art/Tokens.svelte'
import type { GameBook } from '../contract'
import Figure from './Figure.svelte'
import { HEIGHT, WIDTH } from './view'
import Targi from './art/Targi.svelte'

export default {
  Figure,
  figures: {
    1: { name: 'frame', box: [WIDTH, HEIGHT] },
    4: { name: 'lines', box: [WIDTH, HEIGHT] },
    8: { name: 'tribe', box: [560, 144] },
    9: { name: 'raids', box: [560, 144] },
  },
  // in English and in German; the beginning of a word is enough
  words: [
    [/^targis?$/, { Art: Targi, props: { player: 'blue' }, box: [64, 80] }],
    [/^gold/, { Art: Good, props: { kind: 'gold' }, box: [48, 48] }],
    [/^(silver cross|silberkreuz)/, { Art: Tokens, props: { kind: 'cross' }, box: [32, 32] }],
  ],
  replacesDiagrams: true,
} satisfies GameBook
