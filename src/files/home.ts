import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/**
 * The absolute home directory of the system's user. Undefined for a user unknown to the system, and for an empty or relative
 * `HOME`, which would lead into the current directory.
 */
export function systemHome(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    return undefined
  }
}

/** Reads a file of the program in `assets/`. */
export function readAsset(name: string): Uint8Array {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const path = join(at, 'assets', name)
    if (existsSync(path)) return readFileSync(path)
    if (at === dirname(at)) throw new Error(`There is no assets/${name} above ${import.meta.dirname}.`)
  }
}

/** Reads a text of the program in `assets/`. */
export function readAssetText(name: string): string {
  return Buffer.from(readAsset(name)).toString('utf8')
}

/** Reads several texts of the program from one file in `assets/`: each stands below a line `%%% NAME`. */
export function readAssetTexts(name: string): ReadonlyMap<string, string> {
  const [, ...parts] = readAssetText(name).split(/^%%% /m)
  return new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part.slice(part.indexOf('\n') + 1)]))
}

/** The version and the directory of this program, from the nearest package.json with its name. */
export function ownPackage(): { readonly version: string; readonly directory: string } | undefined {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const file = join(at, 'package.json')
    const content = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    if (content?.name === 'ambit') return { version: content.version, directory: at }
    if (at === dirname(at)) return undefined
  }
}
