/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { parse } from 'smol-toml'
import { defineConfig, type Plugin } from 'vite'

/** The server that answers /api while the page is being worked on. */
const SERVER = process.env.AZALAI_SERVER ?? 'http://127.0.0.1:8000'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A TOML file as a module: the table it holds. */
const toml: Plugin = {
  name: 'toml',
  transform: (text, file) =>
    file.endsWith('.toml') ? { code: `export default ${JSON.stringify(parse(text))}`, map: null, moduleType: 'js' } : null,
}

export default defineConfig({
  plugins: [svelte(), toml],
  resolve: {
    alias: { $lib: folder('src/lib'), $art: folder('src/art'), $ui: folder('src/ui') },
    ...(process.env.VITEST ? { conditions: ['browser'] } : {}),
  },
  build: {
    outDir: '../src/azalai/web', // the server serves it from the package
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // no data: addresses, so that the content security policy can be `default-src 'self'`
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  preview: { proxy: { '/api': { target: SERVER, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/browser.ts'] },
})
