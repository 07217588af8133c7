/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
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

const WORKER = 'service-worker.js'
const digest = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Tells the service worker the files of the page it is built with, each with its digest, and names this version after them. */
const worker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const built = Object.values(bundle)
        .filter((one) => one.fileName !== WORKER)
        .map((one) => [`/${one.fileName}`, digest(one.type === 'chunk' ? one.code : one.source)])
      const copied = readdirSync(folder('public')).map((name) => [`/${name}`, digest(readFileSync(folder(`public/${name}`)))])
      const files = Object.fromEntries([...built, ...copied].sort())
      const script = bundle[WORKER]
      if (script?.type !== 'chunk') throw new Error('the service worker was not built')
      const version = digest(JSON.stringify(files) + script.code).slice(0, 12)
      script.code = script.code.replace('__FILES__', JSON.stringify(files)).replace('__VERSION__', JSON.stringify(version))
    },
  },
}

export default defineConfig({
  plugins: [svelte(), toml, worker],
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
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { index: folder('index.html'), 'service-worker': folder('src/worker/service-worker.ts') },
      output: { entryFileNames: (chunk) => (chunk.name === 'service-worker' ? WORKER : 'assets/[name]-[hash].js') },
    },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  preview: { proxy: { '/api': { target: SERVER, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/browser.ts'] },
})
