import { mount } from 'svelte'
import App from './App.svelte'
import { offline } from './lib/offline.svelte'
import './fonts.css'
import './palette.css'
import './base.css'

const PATIENCE = 1500 // milliseconds to wait for the letters

/** The page's letters travel along with this script; begun without them, the page keeps those of the system. */
async function letters(): Promise<void> {
  const faces = [...document.fonts].filter((face) => face.display === 'optional')
  const late = new Promise((done) => setTimeout(done, PATIENCE))
  await Promise.race([Promise.allSettled(faces.map((face) => face.load())), late])
}

void letters().then(() => {
  const target = document.getElementById('page')
  if (target) mount(App, { target })
})
addEventListener('load', () => void offline.start())
