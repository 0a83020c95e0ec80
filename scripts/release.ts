/**
 * Builds what a release publishes, into .cache/release: `npm run release -- --dry-run`; with `--executable` the single executable
 * for this machine alone. Nothing is sent anywhere: the workflow
 * `.github/workflows/release.yml` publishes, from the same files.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkContainer } from './release/container.ts'
import { buildExecutable } from './release/executable.ts'
import { releaseNotes } from './release/notes.ts'
import { buildDebian, DEBIAN_CPUS, homebrewFormula, type Manifest } from './release/packages.ts'
import { billOfMaterials } from './release/sbom.ts'

const OUT = '.cache/release'

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** The time of the last commit, in seconds: what is built again from it is the same, byte for byte. */
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

/** The executable for this machine alone: of other machines, other machines build it. */
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

main(process.argv.slice(2))
