import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { thirdPartyNotices } from '../scripts/notices.ts'

/** The theme is known before the first paint: the only script that is waited for, since the page does not. */
const themeFirst: Plugin = {
  name: 'theme-first',
  transformIndexHtml: {
    order: 'post',
    handler(_, { server }) {
      const source = readFileSync(new URL('theme.js', import.meta.url))
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      const fileName = server ? 'theme.js' : `assets/theme-${hash}.js`
      if (!server) this.emitFile({ type: 'asset', fileName, source })
      return [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }]
    },
  },
}

/** The program is fetched with the page, though it begins a frame later: `main.tsx` says why. */
const programAhead: Plugin = {
  name: 'program-ahead',
  transformIndexHtml(_, { bundle = {} }) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const program = chunks.find(({ name, isDynamicEntry }) => isDynamicEntry && name === 'program')
    const files = program ? [program.fileName, ...program.imports] : []
    const link = (file: string) => ({ rel: 'modulepreload', crossorigin: true, href: `/${file}` })
    return files.map((file) => ({ tag: 'link', attrs: link(file), injectTo: 'head' }))
  },
}

/** Modules of the page, and of its workers, which are bundled before it. */
const bundled = new Set<string>()

function noteModules(bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk') for (const module of Object.keys(file.modules)) bundled.add(module)
  }
}

/** The licences of what is bundled travel with it. */
const notices: Plugin = {
  name: 'notices',
  generateBundle(_, bundle) {
    noteModules(bundle)
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: thirdPartyNotices([...bundled]) })
  },
}

const workerNotices: Plugin = { name: 'worker-notices', generateBundle: (_, bundle) => noteModules(bundle) }

/** In development the page comes from here, and its answers from a server that runs: AMBIT_URL, with AMBIT_TOKEN. */
const { AMBIT_URL = 'http://127.0.0.1:7377', AMBIT_TOKEN = '' } = process.env
const served = {
  target: AMBIT_URL,
  changeOrigin: true,
  headers: { authorization: `Bearer ${AMBIT_TOKEN}`, origin: AMBIT_URL, 'sec-fetch-site': 'same-origin' },
}

/** `&amp;` and its kin by a table. */
const NAMED = fileURLToPath(
  import.meta.resolve('decode-named-character-reference').replace(/index(\.dom)?\.js$/, 'index.js'),
)

/** Snappy without WebAssembly. */
const SNAPPY = fileURLToPath(new URL('src/pages/preview/data/snappy.ts', import.meta.url))

export default defineConfig({
  // The other ones decode by innerHTML, and by WebAssembly, which the content security policy refuses.
  resolve: { alias: { 'decode-named-character-reference': NAMED, hysnappy: SNAPPY } },
  plugins: [react(), tailwindcss(), themeFirst, programAhead, notices],
  // In parts: each format is loaded when a file of it is read.
  worker: { format: 'es', plugins: () => [workerNotices] },
  server: { proxy: { '/api': served, '/files': served, '/healthz': served, '/openapi.json': served } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // Data in URLs would not pass as script or style, and the smallest files are few.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What main.tsx has by itself, which must not wait for the program.
            { name: 'preload', test: /preload-helper/, priority: 1 },
            // One file, in place of one for each set of pages that share something: fewer requests, and packed better.
            { name: 'program', test: /web\/src\/program\.tsx$/ },
          ],
        },
      },
    },
  },
})
