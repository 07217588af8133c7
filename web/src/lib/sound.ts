/** Small sounds, made here: wood, paper, a bell. Off unless a person wants them. */

import { settings } from './settings.svelte'

export type Sound = 'step' | 'card' | 'dice' | 'turn' | 'end'

let context: AudioContext | undefined

function tone(at: number, frequency: number, length: number, volume: number, type: OscillatorType = 'sine'): void {
  if (!context) return
  const [oscillator, gain] = [context.createOscillator(), context.createGain()]
  oscillator.type = type
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(volume, at)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(at)
  oscillator.stop(at + length)
}

function rustle(at: number, length: number, volume: number): void {
  if (!context) return
  const noise = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate)
  const data = noise.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length)
  const [source, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()]
  source.buffer = noise
  filter.type = 'bandpass'
  filter.frequency.value = 2400
  gain.gain.value = volume
  source.connect(filter).connect(gain).connect(context.destination)
  source.start(at)
}

export function play(sound: Sound): void {
  if (!settings.sound || document.hidden || navigator.userActivation?.hasBeenActive === false) return
  context ??= new AudioContext()
  const now = context.currentTime
  if (sound === 'step') tone(now, 190, 0.09, 0.16, 'triangle')
  else if (sound === 'card') rustle(now, 0.12, 0.22)
  else if (sound === 'dice') for (const delay of [0, 0.08, 0.17, 0.3]) tone(now + delay, 420 - delay * 400, 0.05, 0.12, 'square')
  else if (sound === 'turn')
    for (const [delay, frequency] of [
      [0, 660],
      [0.12, 880],
    ] as const)
      tone(now + delay, frequency, 0.35, 0.1)
  else
    for (const [delay, frequency] of [
      [0, 440],
      [0.14, 554],
      [0.28, 659],
    ] as const)
      tone(now + delay, frequency, 0.6, 0.1)
}
