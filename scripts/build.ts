/**
 * Builds `dist/`: the program (in dist/cli, started by bin.js), the library (dist/index.js, which exports what the program
 * is made of, and its types) and the web UI (in dist/web). Runs at every `npm ci`, so it does nothing while its inputs are the same.
 */

import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { thirdPartyNotices } from './notices.ts'
import { buildProgram } from './program.ts'

const ROOT = dirname(import.meta.dirname)
const INPUTS = [
  'src/**/*.ts',
  'scripts/build.ts',
  'scripts/notices.ts',
  'scripts/program.ts',
  'web/{index.html,package.json,vite.config.ts}',
  'web/src/**/*.*',
  'tsconfig*.json',
  'package-lock.json',
]
const STAMP = 'dist/.inputs'

/** One hash over the names and bytes of everything that goes into the build. */
function inputsHash(): string {
  const hash = createHash('sha256')
  for (const file of globSync(INPUTS, { cwd: ROOT }).sort()) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function upToDate(hash: string): boolean {
  const outputs = [STAMP, 'dist/index.js', 'dist/cli/bin.js', 'dist/web/index.html']
  return outputs.every((file) => existsSync(file)) && readFileSync(STAMP, 'utf8') === hash
}

/** Builds the types of the library, with only the declarations that the public types need. They must not need other packages. */
function buildTypes(): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const compiler = join(dirname(typescript), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  const reached = reachedFrom('dist/index.d.ts')
  for (const file of globSync('dist/**/*.d.ts')) if (!reached.has(file)) rmSync(file)
}

function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set([start])
  for (const file of reached) {
    for (const [, module = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (module.startsWith('.')) reached.add(join(dirname(file), module.replace(/\.ts$/, '.d.ts')))
      else if (!module.startsWith('node:')) throw new Error(`${file}: a public type needs the package ${module}`)
    }
  }
  return reached
}

/** Writes dist/index.js, the library. Lists the bundle's exports by name, because Node does not find them in it. */
function writeLibrary(): void {
  const { ...exported } = createRequire(import.meta.url)(join(ROOT, 'dist/cli/lazy/exports.js'))
  const names = Object.keys(exported).sort().join(',\n  ')
  writeFileSync('dist/index.js', `export {\n  ${names},\n} from './cli/lazy/exports.js'\n`)
}

/** Copies the native part of SQLite to where the bundled package looks for it. Windows is not supported. */
function copyBindings(): void {
  const from = join(dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json')), 'prebuilds')
  for (const file of globSync('{linux,darwin}*.node', { cwd: from }))
    cpSync(join(from, file), `dist/cli/prebuilds/${file}`)
}

/** Files to compress. */
const PACKED = 'dist/web/assets/*.{js,mjs,css,svg}'

/** Minimum bytes of a file to compress. */
const MIN_BYTES = 1_024

/** Brotli's quality: almost the best compression, in a tenth of the time. */
const QUALITY = 9

/** Builds the web UI into dist/web/. Assets are stored as brotli only; the server decompresses them for other clients. */
async function buildWeb(): Promise<void> {
  const vite = createRequire(join(process.cwd(), 'web/package.json')).resolve('vite/package.json')
  const bin = join(dirname(vite), 'bin/vite.js')
  // React without its development checks, even if a test runs the build.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [bin, 'build', '--logLevel', 'warn'], { cwd: 'web', env })
  await Promise.all(globSync(PACKED).map(compressFile))
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < MIN_BYTES) return
  await writeFile(
    `${file}.br`,
    await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  )
  await rm(file)
}

process.chdir(ROOT)
const hash = inputsHash()
if (upToDate(hash)) {
  console.log('dist/ is up to date')
} else {
  rmSync('dist', { recursive: true, force: true })
  const web = buildWeb()
  buildTypes()
  writeFileSync('dist/cli/THIRD-PARTY-NOTICES.txt', thirdPartyNotices(await buildProgram()))
  // Node reads the nearest package.json for the format of modules. This one is close and small, so it is read fast.
  writeFileSync('dist/cli/package.json', '{ "type": "commonjs" }\n')
  chmodSync('dist/cli/bin.js', 0o755)
  copyBindings()
  writeLibrary()
  await web
  writeFileSync(STAMP, hash)
  console.log('built dist/')
}
