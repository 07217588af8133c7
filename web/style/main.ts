/** All pictures and components, for those who work on the page: `npm run dev` serves it at /style/; it is not part of the build. */

import { mount } from 'svelte'
import Style from './Style.svelte'
import '../src/fonts.css'
import '../src/palette.css'
import '../src/base.css'

const target = document.getElementById('page')
if (target) mount(Style, { target })
