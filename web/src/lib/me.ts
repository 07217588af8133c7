/** Who we are to the server: asked once, before anything that depends on it, so that even a first visit has its cookie. */

import { api } from './api'

export const met: Promise<void> = api.me().then(
  () => {},
  () => {},
)
