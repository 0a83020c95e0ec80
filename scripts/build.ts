/**
 * Builds `dist/`: the library (what src/index.ts reaches, one file per module, with types), the program (in
 * dist/cli, started by bin.js) and the web UI (in dist/web). Runs at every `npm ci`, so it does nothing while its inputs are the same.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { thirdPartyNotices } from './notices.ts'
import { buildProgram } from './program.ts'
import { buildWeb } from './web.ts'

const ROOT = dirname(import.meta.dirname)
const INPUTS = [
  'src/**/*.ts',
  'scripts/build.ts',
  'scripts/notices.ts',
  'scripts/program.ts',
  'scripts/web.ts',
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

function buildLibrary(): void {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const compiler = join(dirname(typescript), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
}

process.chdir(ROOT)
const hash = inputsHash()
if (upToDate(hash)) {
  console.log('dist/ is up to date')
} else {
  rmSync('dist', { recursive: true, force: true })
  const web = buildWeb()
  buildLibrary()
  writeFileSync('dist/cli/THIRD-PARTY-NOTICES.txt', thirdPartyNotices(await buildProgram()))
  // Node looks for the nearest one: this says what the files are, and is read in no time.
  writeFileSync('dist/cli/package.json', '{ "type": "commonjs" }\n')
  chmodSync('dist/cli/bin.js', 0o755)
  await web
  writeFileSync(STAMP, hash)
  console.log('built dist/')
}
