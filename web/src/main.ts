import { mount } from 'svelte'
import App from './App.svelte'
import { offline } from './lib/offline.svelte'
import './fonts.css'
import './palette.css'
import './base.css'

const target = document.getElementById('page')
if (target) mount(App, { target })
addEventListener('load', () => void offline.start())
