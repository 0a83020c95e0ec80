/**
 * Builds what a release publishes, into .cache/release: `npm run release -- --dry-run`. With `--executable`, builds only the
 * single executable for this machine. Sends nothing: the workflow `.github/workflows/release.yml` publishes the same files.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkContainer } from './release/container.ts'
import { releaseNotes } from './release/notes.ts'
import { buildDebian, DEBIAN_CPUS, homebrewFormula, type Manifest } from './release/packages.ts'
import { billOfMaterials } from './release/sbom.ts'

const OUT = '.cache/release'

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** The time of the last commit, in seconds. With it, builds of a commit are the same, byte for byte. */
function commitTime(): number {
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim())
}

/** The tarball, and the folder that it unpacks to. */
function packNpm(): { readonly tarball: string; readonly folder: string } {
  const name = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', OUT], {
    encoding: 'utf8',
  })
  const tarball = join(OUT, name.trim())
  execFileSync('tar', ['-xzf', tarball, '-C', OUT])
  return { tarball, folder: join(OUT, 'package') }
}

/** Builds the executable for this machine. Other machines build their own. */
function buildOwnExecutable({ name, version }: Manifest): string[] {
  const { tarball, folder } = packNpm()
  buildExecutable(folder, join(OUT, `${name}-${version}-${process.platform}-${process.arch}`))
  rmSync(folder, { recursive: true })
  rmSync(tarball)
  return readdirSync(OUT).sort()
}

function buildAll(manifest: Manifest): string[] {
  const { name, version } = manifest
  const { tarball, folder } = packNpm()
  const at = (file: string) => join(OUT, file)
  for (const [cpu, debian] of Object.entries(DEBIAN_CPUS))
    buildDebian(folder, at(`${name}_${version}_${debian}.deb`), { manifest, cpu, seconds: commitTime() })
  buildExecutable(folder, at(`${name}-${version}-${process.platform}-${process.arch}`))
  writeFileSync(at(`${name}.rb`), homebrewFormula(manifest, hashOf(tarball)))
  const notices = ['dist/cli', 'dist/web'].map((each) => readFileSync(join(each, 'THIRD-PARTY-NOTICES.txt'), 'utf8'))
  writeFileSync(
    at(`${name}-${version}.cdx.json`),
    billOfMaterials(manifest, notices, JSON.parse(readFileSync('package-lock.json', 'utf8'))),
  )
  writeFileSync(at('release-notes.md'), releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), version))
  rmSync(folder, { recursive: true })
  return readdirSync(OUT).sort()
}

function main(args: readonly string[]): void {
  const [mode] = args
  if (args.length !== 1 || (mode !== '--dry-run' && mode !== '--executable')) {
    console.error(
      'usage: npm run release -- --dry-run|--executable\nA release is published by the workflow release.yml, when a tag vX.Y.Z is pushed.',
    )
    process.exitCode = 2
    return
  }
  const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  const files = mode === '--executable' ? buildOwnExecutable(manifest) : buildAll(manifest)
  const sums = files.map((file) => `${hashOf(join(OUT, file))}  ${file}\n`)
  if (mode === '--dry-run') writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''))
  for (const [index, file] of files.entries())
    console.log(`${String(statSync(join(OUT, file)).size).padStart(11)}  ${sums[index]?.trimEnd()}`)
  if (mode === '--dry-run') console.log(checkContainer(manifest.version))
}

/** The marker in Node's binary at which the application is inserted. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const MAIN = join(import.meta.dirname, 'release', 'executable.cjs')

/** Writes this Node with the package inside, as one file. `folder`: the unpacked package. */
function buildExecutable(folder: string, to: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'ambit-executable-'))
  const own = join(scratch, 'package.gz')
  const blob = join(scratch, 'blob')
  writeFileSync(own, gzipSync(JSON.stringify(contentOf(folder)), { level: 9 }))
  const config = { main: MAIN, output: blob, disableExperimentalSEAWarning: true, assets: { package: own } }
  writeFileSync(join(scratch, 'config.json'), JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', join(scratch, 'config.json')], { stdio: 'pipe' })
  copyFileSync(process.execPath, to)
  chmodSync(to, 0o755)
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')
  const isMac = process.platform === 'darwin'
  if (isMac) execFileSync('codesign', ['--remove-signature', to])
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  execFileSync(process.execPath, [postject, to, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment], {
    stdio: 'pipe',
  })
  if (isMac) execFileSync('codesign', ['--sign', '-', to])
  rmSync(scratch, { recursive: true })
}

/** The files by path, as base64. Native parts of other platforms are left out. */
function contentOf(folder: string): Record<string, string> {
  const isForeign = (path: string) =>
    path.endsWith('.node') && !path.endsWith(`${process.platform}-${process.arch}.node`)
  const files = globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
  const own = files.filter((path) => !isForeign(path)).sort()
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), 'base64')]))
}

main(process.argv.slice(2))
