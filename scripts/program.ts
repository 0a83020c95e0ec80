/**
 * Builds the program as a few CommonJS files that start quickly. Node loads them faster than modules, and runs a `require` inside
 * a function only when the function is called. Heavy parts (Markdown, YAML) are separate files that are required on first use.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const OUT = 'dist/cli'

/**
 * Modules that are bundled separately and required on first use, by name. Each is imported dynamically, and has no state that
 * another file needs.
 */
const APART: Readonly<Record<string, string>> = {
  ...modulesIn('src/internet/search/providers'),
  ladder: 'src/context/passes/budget/ladder.ts',
  task: 'src/context/task.ts',
  'task-names': 'src/engine/parts/task-names.ts',
  'with-code': 'src/context/load/with-code.ts',
  'first-task': 'src/context/reach/first-task.ts',
  check: 'src/context/check.ts',
  'drift-marks': 'src/context/load/drift-marks.ts',
  diff: 'src/context/diff.ts',
  'own-profile': 'src/context/profiles/own-profile.ts',
  explain: 'src/context/explain.ts',
  init: 'src/context/init.ts',
  doctor: 'src/engine/doctor/doctor.ts',
  sarif: 'src/context/sarif.ts',
  'part-checks': 'src/engine/doctor/part-checks.ts',
  completion: 'src/surfaces/cli/completion.ts',
  demo: 'src/surfaces/cli/demo.ts',
  confirm: 'src/surfaces/cli/confirm.ts',
  help: 'src/surfaces/cli/help.ts',
  progress: 'src/surfaces/cli/progress.ts',
  views: 'src/surfaces/cli/views.ts',
  'print-page': 'src/engine/print/print-page.ts',
  'resolve-place': 'src/context/resolve-place.ts',
  report: 'src/engine/doctor/report.ts',
  'context-file': 'src/context/context-dir/context-file.ts',
  metadata: 'src/text/metadata.ts',
  jobs: 'src/stores/jobs.ts',
  sqlite: 'src/stores/sqlite/sqlite.ts',
  beside: 'src/stores/uploads/beside.ts',
  'store-export': 'src/stores/transfer/store-export.ts',
  'store-import': 'src/stores/transfer/store-import.ts',
  postgres: 'src/stores/postgres/postgres.ts',
  library: 'src/collections/library.ts',
  catalog: 'src/quilt/catalog.ts',
  context: 'src/context/catalog/context.ts',
  conversations: 'src/agent/conversations.ts',
  files: 'src/collections/files.ts',
  browse: 'src/collections/browse/browse.ts',
  text: 'src/ingest/extract/text.ts',
  'object-stores': 'src/files/object-stores.ts',
  s3: 'src/files/s3/s3.ts',
  'place-reader': 'src/context/place-reader.ts',
  import: 'src/collections/path-contexts/import.ts',
  updating: 'src/ingest/updating.ts',
  embed: 'src/ingest/embed.ts',
  database: 'src/stores/sqlite/database.ts',
  salvage: 'src/stores/sqlite/salvage.ts',
  rebuild: 'src/collections/rebuild.ts',
  'local-models': 'src/models/local/local-models.ts',
  'static-model': 'src/models/static/static-model.ts',
  'get-model': 'src/models/static/get-model.ts',
  'openai-compatible': 'src/models/openai-compatible.ts',
  'language-providers': 'src/models/language-providers.ts',
  'language-anthropic': 'src/models/providers/language-anthropic.ts',
  'language-compatible': 'src/models/providers/language-compatible.ts',
  'language-google': 'src/models/providers/language-google.ts',
  'language-bedrock': 'src/models/providers/language-bedrock.ts',
  'language-openai': 'src/models/providers/language-openai.ts',
  'language-local': 'src/models/providers/language-local.ts',
  proxy: 'src/engine/parts/proxy.ts',
  settings: 'src/engine/config/settings.ts',
  'tool-sign-ins': 'src/engine/config/tool-sign-ins.ts',
  'sign-on': 'src/engine/config/sign-on.ts',
  'assistant-settings': 'src/engine/config/assistant-settings.ts',
  'mcp-servers': 'src/agent/mcp-servers.ts',
  'rerank-service': 'src/models/rerank-service.ts',
  'page-reader': 'src/research/web/page-reader.ts',
  ask: 'src/surfaces/cli/ask.ts',
  chat: 'src/surfaces/cli/chat.ts',
  research: 'src/surfaces/cli/research.ts',
  'open-research': 'src/research/open-research.ts',
  'index-job': 'src/collections/index-job.ts',
  'model-stages': 'src/research/model/model-stages.ts',
  hook: 'src/surfaces/hook/hook.ts',
  reach: 'src/context/reach/reach.ts',
  serve: 'src/surfaces/http/serve.ts',
  oidc: 'src/surfaces/http/sign-on/oidc.ts',
  'visible-store': 'src/engine/auth/visible/visible-store.ts',
  tokens: 'src/engine/auth/tokens.ts',
  'sign-ins': 'src/engine/sign-ins.ts',
  http: 'src/surfaces/mcp/http.ts',
  stdio: 'src/surfaces/mcp/stdio.ts',
}

/** The files of a directory, by their names. */
function modulesIn(directory: string): Record<string, string> {
  return Object.fromEntries(readdirSync(directory).map((file) => [basename(file, '.ts'), `${directory}/${file}`]))
}

/**
 * Packages that are bundled separately, however they are imported, by the name of their file. They are large, or several files
 * need them.
 */
const PACKAGES: Readonly<Record<string, string>> = {
  ai: 'ai',
  'better-sqlite3': 'better-sqlite3',
  htmlparser2: 'htmlparser2',
  linkedom: 'linkedom',
  mammoth: 'mammoth',
  'mcp-core': '@modelcontextprotocol/core/internal',
  'mcp-server': '@modelcontextprotocol/server',
  'markdown-it': 'markdown-it',
  o200k: 'gpt-tokenizer/encoding/o200k_base',
  tokenizers: '@huggingface/tokenizers',
  readability: '@mozilla/readability',
  'smol-toml': 'smol-toml',
  'read-excel-file': 'read-excel-file/universal',
  turndown: 'turndown',
  'provider-utils': '@ai-sdk/provider-utils',
  unbash: 'unbash',
  unpdf: 'unpdf',
  yaml: 'yaml',
  zod: 'zod/v4',
}

/** Modules that most files of `lazy` (files that are required on first use) need. Each is bundled once. */
const COMMON: Readonly<Record<string, string>> = {
  confine: 'src/files/confine.ts',
  disk: 'src/files/disk.ts',
  invisible: 'src/text/invisible.ts',
  secrets: 'src/text/secrets.ts',
}

const PACKAGE = 'package'
const FILE_BY_PACKAGE = new Map(Object.entries(PACKAGES).map(([file, name]) => [name, file]))

/** Modules that are imported dynamically, but stay in the file of their importer: they are small, or always needed. */
const TOGETHER: ReadonlySet<string> = new Set([
  'article',
  'bibliography',
  'private-directory',
  'bucket-tree',
  'directory',
  'docx',
  'git',
  'html',
  'load',
  'markdown-docx',
  'memory',
  'odt',
  'page-reader',
  'pdf',
  'pptx',
  'version',
  'watch',
  'watch-tree',
  'xlsx',
])

/** Entry points of processes and threads. A file in the same directory starts them. */
const PROCESSES: Readonly<Record<string, string>> = {
  worker: 'src/ingest/worker.ts',
  'side-work': 'src/ingest/indexing/side-work.ts',
  'table-process': 'src/research/explore/table-process.ts',
  'text-work': 'src/research/run/text-work.ts',
}

/** The modules that bin.ts starts. */
const ENTRY_POINTS: ReadonlySet<string> = new Set(['src/main.ts', 'src/quick-main.ts'])

/** Errors are recognised by their class, so all files share this module. */
const SHARED = 'src/core/errors.ts'

const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // Names are not minified: stack traces have them, and the ledger names a pass by its function.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // The default build of jsonc-parser loads its own files by names that a bundler does not find.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // Optional peers: a person who needs one installs it beside the program, which requires it on first use.
  external: ['@ai-sdk/amazon-bedrock', '@aws-sdk/client-s3', 'ajv', 'onnxruntime-node', 'pg'],
  // An `import()` becomes a lazy `require`, so that Node does not start the loader of modules.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'thisModule.url', 'import.meta.dirname': '__dirname' },
} as const satisfies BuildOptions

/** Computes the URL of the module only when it is used. */
const MODULE_URL = {
  js: "const thisModule = { get url() { return require('node:url').pathToFileURL(__filename).href } };",
}

/** A plugin that keeps the separate files out of a bundle. `lazy`: their directory, relative to the built file. */
export function apart(lazy: './lazy' | '.'): Plugin {
  return {
    name: 'apart',
    setup({ onResolve, onLoad }) {
      // Exports the default of a package explicitly, because Node gives a required file another default.
      onLoad({ filter: /.*/, namespace: PACKAGE }, ({ path }) => ({
        contents: `export * from '${path}'\nexport { default } from '${path}'`,
      }))
      onResolve({ filter: /.*/, namespace: PACKAGE }, ({ path }) => ({ path, external: true }))
      onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        const name = basename(path, '.ts')
        const module = path.startsWith('.') ? relative('.', resolve(resolveDir, path)) : path
        if (kind === 'entry-point') return undefined
        if (module === SHARED) return { path: lazy === '.' ? '../errors.js' : './errors.js', external: true }
        const file = FILE_BY_PACKAGE.get(path)
        if (file !== undefined) return { path: `${lazy}/${file}.js`, namespace: PACKAGE }
        if (lazy === '.' && COMMON[name] === module) return { path: `./${name}.js`, external: true }
        if (kind !== 'dynamic-import') return undefined
        if (ENTRY_POINTS.has(module)) return { path: `./${name}.js`, external: true }
        if (Object.hasOwn(APART, name) && APART[name] === module) return { path: `${lazy}/${name}.js`, external: true }
        // Otherwise a file would grow unnoticed, and everything that loads it would start more slowly.
        const isKnown = !path.startsWith('.') || module.startsWith('node_modules/') || TOGETHER.has(name)
        return isKnown ? undefined : { errors: [{ text: `${path} is neither in APART nor in TOGETHER` }] }
      })
    },
  }
}

/** Decodes the table of HTML entities on first use, because few texts have entities. markdown-it decodes it when it is loaded. */
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
    build({ ...common, entryPoints: [...ENTRY_POINTS], outdir: OUT, plugins: [apart('./lazy')], banner: MODULE_URL }),
    build({ ...common, entryPoints: { errors: 'src/core/errors.ts' }, outdir: OUT }),
    build({
      ...common,
      entryPoints: { ...APART, ...PROCESSES, ...PACKAGES, ...COMMON, exports: 'src/index.ts', entities: 'entities' },
      outdir: `${OUT}/lazy`,
      plugins: [apart('.'), entitiesLater],
      banner: MODULE_URL,
    }),
  ])
  const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs)).sort()
  const define = { ...common.define, BUILD_HASH: JSON.stringify(filesHash(outputs)) }
  const stub = await build({ ...common, define, entryPoints: ['src/bin.ts'], outdir: OUT, plugins: [apart('./lazy')] })
  for (const { metafile } of [...built, stub]) assertShared(metafile)
  assertAscii(`${OUT}/quick-main.js`)
  return [...built, stub].flatMap(({ metafile }: { metafile: Metafile }) => Object.keys(metafile.inputs))
}

function filesHash(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/** Checks that only one file has the class of errors: `instanceof` does not recognise the errors of a second class. */
function assertShared({ outputs }: Metafile): void {
  for (const [file, { inputs }] of Object.entries(outputs)) {
    const isOwn = file === `${OUT}/errors.js`
    if (isOwn !== Object.hasOwn(inputs, SHARED))
      throw new Error(`${file} ${isOwn ? 'lacks' : 'has a copy of'} ${SHARED}`)
  }
}

/**
 * Checks that a file is ASCII. With one other character, V8 stores the whole file with two bytes for each character. esbuild
 * does not escape such characters in regular expressions.
 */
function assertAscii(file: string): void {
  const [strange] = /[^\0-\x7f]/.exec(readFileSync(file, 'utf8')) ?? []
  if (strange !== undefined) throw new Error(`${file} holds ${strange}: write it as an escape`)
}
