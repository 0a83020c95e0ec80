/**
 * The program as a few CommonJS files, made to start quickly: Node loads those sooner than modules, requires inside them
 * stay where they are, and what is heavy (Markdown, YAML) is a file of its own that is required when it is used.
 */

import { basename } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const OUT = 'dist/cli'

/** What is bundled apart and required lazily: each is imported dynamically, holds no state, and throws nothing of ours. */
const APART: Readonly<Record<string, string>> = {
  ladder: 'src/passes/budget/ladder.ts',
  'context-file': 'src/faces/context-dir/context-file.ts',
  metadata: 'src/text/metadata.ts',
  yaml: 'yaml',
}

const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // Names stay: they are in stack traces, and a pass is named in the ledger by its function.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Its tables are 30 MB, and watching is for the library: installed beside the program, required when asked for.
  external: ['gpt-tokenizer', 'chokidar'],
  // An `import()` becomes a lazy `require`: the loader of modules is not even started.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'moduleUrl', 'import.meta.dirname': '__dirname' },
} as const satisfies BuildOptions

/** Only what uses it pays for it. */
const MODULE_URL = { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" }

const apart: Plugin = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) => {
      const name = basename(path, '.ts')
      if (kind !== 'dynamic-import') return undefined
      if (name === 'main') return { path: './main.js', external: true }
      return Object.hasOwn(APART, name) ? { path: `./lazy/${name}.js`, external: true } : undefined
    })
  },
}

/** markdown-it decodes the table of HTML's entities when it is loaded; few texts that are cut hold any. */
const entitiesLater: Plugin = {
  name: 'entities-later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^entities$/ }, ({ importer }) =>
      importer.includes('markdown-it') ? { path: 'entities', namespace: 'later' } : undefined,
    )
    const contents = "exports.decodeHTMLStrict = (text) => require('./entities.js').decodeHTMLStrict(text)"
    onLoad({ filter: /.*/, namespace: 'later' }, () => ({ contents }))
    onResolve({ filter: /^\.\/entities\.js$/ }, ({ path }) => ({ path, external: true }))
  },
}

/** Builds the program into dist/cli/. Returns the files that went into it. */
export async function buildProgram(): Promise<string[]> {
  const built = await Promise.all([
    build({ ...common, entryPoints: ['src/bin.ts'], outdir: OUT, plugins: [apart] }),
    build({ ...common, entryPoints: ['src/main.ts'], outdir: OUT, plugins: [apart], banner: MODULE_URL }),
    build({
      ...common,
      entryPoints: { ...APART, entities: 'entities' },
      outdir: `${OUT}/lazy`,
      plugins: [entitiesLater],
    }),
  ])
  return built.flatMap(({ metafile }: { metafile: Metafile }) => Object.keys(metafile.inputs))
}
