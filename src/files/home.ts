import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/**
 * The home directory of the system's user, absolute. Undefined where there is none: for a user whom the system does not
 * know, and for a `HOME` that is empty or relative, which would be the current directory or lie in it.
 */
export function systemHome(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    return undefined
  }
}

/** The bytes of a file that comes with the program, in `assets/`. */
export function readAsset(name: string): Uint8Array {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const path = join(at, 'assets', name)
    if (existsSync(path)) return readFileSync(path)
    if (at === dirname(at)) throw new Error(`There is no assets/${name} above ${import.meta.dirname}.`)
  }
}

/** The version of this program, and where it is installed: by the nearest package.json of its name. */
export function ownPackage(): { readonly version: string; readonly directory: string } | undefined {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const file = join(at, 'package.json')
    const found = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    if (found?.name === 'ambit') return { version: found.version, directory: at }
    if (at === dirname(at)) return undefined
  }
}
