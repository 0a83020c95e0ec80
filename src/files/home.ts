import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { tryToRead } from '../core/errors.ts'
import { ancestors } from '../text/paths.ts'

/**
 * The absolute home directory of the system's user. Undefined for a user unknown to the system, and for an empty or relative
 * `HOME`, which would lead into the current directory.
 */
export function systemHome(): string | undefined {
  const home = tryToRead(homedir)
  return home !== undefined && isAbsolute(home) ? home : undefined
}

/** Reads a file in `assets/`, the directory of data files that the program ships. */
export function readAsset(name: string): Uint8Array {
  const paths = ancestors(import.meta.dirname, '/').map((at) => join(at, 'assets', name))
  const path = paths.find((one) => existsSync(one))
  if (path === undefined) throw new Error(`There is no assets/${name} above ${import.meta.dirname}.`)
  return readFileSync(path)
}

/** Reads the table of word vectors that the package ships. */
export function readWordVectors(): Uint8Array {
  return readAsset('word-vectors.bin')
}

/** Reads a text of the program in `assets/`. */
export function readAssetText(name: string): string {
  return Buffer.from(readAsset(name)).toString('utf8')
}

/** Reads the texts, by name, in one file in `assets/`. Each text follows a line `%%% NAME`. */
export function readAssetTexts(name: string): ReadonlyMap<string, string> {
  const [, ...parts] = readAssetText(name).split(/^%%% /m)
  return new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part.slice(part.indexOf('\n') + 1)]))
}

/** The version and the directory of this program, from the nearest package.json with its name. */
export function ownPackage(): { readonly version: string; readonly directory: string } | undefined {
  for (const directory of ancestors(import.meta.dirname, '/')) {
    const file = join(directory, 'package.json')
    const content = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    if (content?.name === 'ambit') return { version: content.version, directory }
  }
  return undefined
}
