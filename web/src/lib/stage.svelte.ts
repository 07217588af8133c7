/** Animates pieces that travel over a board while an event is shown. */

import type { Attachment } from 'svelte/attachments'
import type { EventInfo } from './api'
import { settings, type Speed } from './settings.svelte'
import { play, type Sound } from './sound'

export type Point = readonly [number, number]

export interface Traveller<A = unknown> {
  id: number
  /** what is drawn; the board knows how */
  art: A
  /** for the element that carries it: moves it */
  move: Attachment<SVGElement>
}

/** The middle of a thing on the page in a board's own coordinates, so that pieces can travel to it; `otherwise` where it is not there. */
export function pointOn(board: SVGSVGElement | undefined, selector: string, otherwise: Point): Point {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  const matrix = board?.getScreenCTM()?.inverse()
  if (!box?.width || !matrix) return otherwise
  const { x, y } = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2).matrixTransform(matrix)
  return [x, y]
}

const FACTOR: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, off: 0 }
const FADE = 80
const BEAT = 420 // for so long, the words of an event stand at least

export class Stage {
  travellers = $state.raw<readonly Traveller[]>([])
  /** the event that is shown now, and the number of those told so far of the change it belongs to */
  telling = $state.raw<EventInfo | null>(null)
  told = $state(0)
  #pace = 1
  #beat = 0
  #next = 0
  #skipping = false
  #running = new Set<() => void>()

  /** Scale a duration by the chosen speed; 0 means at once. */
  ms(usual: number): number {
    if (this.#skipping || document.hidden) return 0
    return usual * FACTOR[settings.speed] * this.#pace
  }

  /** Begin to show a change: the faster the lower `pace` is; what others did stands long enough to be read. */
  begin(pace: number, own: boolean): void {
    this.#pace = pace
    this.#beat = own ? 0 : BEAT
    this.told = 0
  }

  /** Show events one after the other; question and log keep step. */
  async each(events: readonly EventInfo[], show: (event: EventInfo) => Promise<void>): Promise<void> {
    for (const event of events) {
      this.tell([event])
      const begun = performance.now()
      await show(event)
      if (event.text) await this.#wait(this.ms(this.#beat) - (performance.now() - begun))
    }
  }

  /** Tell of events that are shown together. */
  tell(events: readonly EventInfo[]): void {
    this.told += events.length
    this.telling = events.findLast((event) => event.text) ?? this.telling
  }

  get still(): boolean {
    return settings.still
  }

  /** Let a piece travel; resolves when it has arrived. Where motion is not wanted it fades in at its goal. */
  async travel(
    art: unknown,
    from: Point,
    to: Point,
    usual = 280,
    scale: readonly [number, number] = [1, 1],
    sound: Sound | null = 'step',
    stays = false,
  ): Promise<void> {
    const ms = this.ms(usual)
    if (ms === 0) return
    if (sound) play(sound)
    const id = this.#next++
    const at = ([x, y]: Point, size: number) => `translate(${x}px, ${y}px) scale(${size})`
    await new Promise<void>((resolve) => {
      const end = () => {
        this.#running.delete(end)
        if (!stays) this.travellers = this.travellers.filter((one) => one.id !== id)
        resolve()
      }
      this.#running.add(end)
      const move: Attachment<SVGElement> = (element) => {
        const motion = this.still
          ? element.animate(
              { transform: [at(to, scale[1]), at(to, scale[1])], opacity: [0, 1] },
              { duration: FADE, fill: 'both' },
            )
          : element.animate(
              { transform: [at(from, scale[0]), at(to, scale[1])] },
              { duration: ms, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)', fill: 'both' },
            )
        motion.onfinish = end
        return () => motion.cancel()
      }
      this.travellers = [...this.travellers, { id, art, move }]
    })
  }

  /** Let a piece travel that stays where it arrives until the next position is drawn. */
  move(art: unknown, from: Point, to: Point, usual = 280): Promise<void> {
    return this.travel(art, from, to, usual, [1, 1], 'step', true)
  }

  /** Remove all pieces: the next position is drawn and contains them. */
  clear(): void {
    this.travellers = []
  }

  /** Give people time to see something. */
  async pause(usual: number): Promise<void> {
    await this.#wait(this.ms(usual))
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#running.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#running.add(end)
    })
  }

  /** Finish all animations now; start no new ones until `resume`. */
  skip(): void {
    this.#skipping = true
    for (const end of [...this.#running]) end()
  }

  resume(): void {
    this.#skipping = false
    this.#pace = 1
    this.telling = null
  }
}
