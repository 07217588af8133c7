import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Where the built page goes, seen from this folder. */
const OUT_DIR = process.env.AZALAI_WEB_OUT ?? 'dist'

/** The server that answers /api while the page is being worked on. */
const SERVER = process.env.AZALAI_SERVER ?? 'http://127.0.0.1:8000'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: { $lib: folder('src/lib'), $art: folder('src/art'), $ui: folder('src/ui') },
    ...(process.env.VITEST ? { conditions: ['browser'] } : {}),
  },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // no data: addresses, so that the content security policy can be `default-src 'self'`
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  preview: { proxy: { '/api': { target: SERVER, ws: true } } },
  test: { include: ['tests/**/*.test.ts'] },
})
