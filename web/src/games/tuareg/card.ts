import type { GameCard } from '../contract'
import Cover from './Cover.svelte'
import './colours.css'

export default { Cover, order: 2 } satisfies GameCard
