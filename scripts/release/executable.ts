import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What marks the place in a Node that tells it from an executable of its own. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const MAIN = join(import.meta.dirname, 'executable.cjs')

/** The Node that runs this with the package inside, as one file. `folder`: the unpacked package. */
export function buildExecutable(folder: string, to: string): void {
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

/** The files by path, as base64; of the native parts only that of this platform. */
function contentOf(folder: string): Record<string, string> {
  const isForeign = (path: string) =>
    path.endsWith('.node') && !path.endsWith(`${process.platform}-${process.arch}.node`)
  const files = globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
  const own = files.filter((path) => !isForeign(path)).sort()
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), 'base64')]))
}
