import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { thirdPartyNotices } from '../scripts/notices.ts'

/** Sets the theme before the first paint. It is the only blocking script. */
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

/** Preloads the program with the page. It starts a frame later: see `main.tsx`. */
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

/** Modules of the page and of its workers. Workers are bundled first. */
const bundledModules = new Set<string>()

function noteModules(bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk') for (const module of Object.keys(file.modules)) bundledModules.add(module)
  }
}

/** Adds the licences of the bundled packages. */
const notices: Plugin = {
  name: 'notices',
  generateBundle(_, bundle) {
    noteModules(bundle)
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-NOTICES.txt',
      source: thirdPartyNotices([...bundledModules]),
    })
  },
}

const workerNotices: Plugin = { name: 'worker-notices', generateBundle: (_, bundle) => noteModules(bundle) }

/** In development, Vite serves the page and forwards API requests to the server at AMBIT_URL, with AMBIT_TOKEN. */
const { AMBIT_URL = 'http://127.0.0.1:7377', AMBIT_TOKEN = '' } = process.env
const served = {
  target: AMBIT_URL,
  changeOrigin: true,
  headers: { authorization: `Bearer ${AMBIT_TOKEN}`, origin: AMBIT_URL, 'sec-fetch-site': 'same-origin' },
}

/** Decodes entities such as `&amp;` with a table. */
const NAMED = fileURLToPath(
  import.meta.resolve('decode-named-character-reference').replace(/index(\.dom)?\.js$/, 'index.js'),
)

/** Snappy without WebAssembly. */
const SNAPPY = fileURLToPath(new URL('src/pages/preview/data/snappy.ts', import.meta.url))

export default defineConfig({
  // The default modules decode with innerHTML and with WebAssembly, which the content security policy forbids.
  resolve: { alias: { 'decode-named-character-reference': NAMED, hysnappy: SNAPPY } },
  plugins: [react(), tailwindcss(), themeFirst, programAhead, notices],
  // ES modules can be split, so that each format is loaded only when a file has it.
  worker: { format: 'es', plugins: () => [workerNotices] },
  server: { proxy: { '/api': served, '/files': served, '/healthz': served, '/openapi.json': served } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy forbids scripts and styles in data URLs, and there are few small files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The part that main.tsx needs itself, which must not wait for the program.
            { name: 'preload', test: /preload-helper/, priority: 1 },
            // One file instead of one for each set of pages with common code: fewer requests, and better compression.
            { name: 'program', test: /web\/src\/program\.tsx$/ },
          ],
        },
      },
    },
  },
})
