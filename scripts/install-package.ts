import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const ROOT = dirname(import.meta.dirname)

/** The installed package, alone in its prefix. */
export interface Installed extends Disposable {
  /** The script that `ambit` starts. */
  readonly bin: string
  /** The directory of the installation: `lib/node_modules` has a folder for each package. */
  readonly prefix: string
  /** Bytes of the tarball. */
  readonly packed: number
}

/** Packs `dist/` as it is, and installs it as `npm install -g` does, without a network. */
export function installPackage(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-installed-'))
  const prefix = join(folder, 'prefix')
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, env, encoding: 'utf8' })
  const tarball = join(folder, npm('pack', '--ignore-scripts', '--silent', '--pack-destination', folder).trim())
  npm('install', '--global', '--prefix', prefix, '--ignore-scripts', '--offline', '--no-audit', '--no-fund', tarball)
  return {
    bin: join(prefix, 'lib/node_modules/ambit/dist/cli/bin.js'),
    prefix,
    packed: statSync(tarball).size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
