import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version of this program, from the nearest package.json above it. */
export function version(): string {
  return ownPackage()?.version ?? 'unknown'
}

/** Where the web UI is, if it was built: in the package of this program. */
export function webFolder(): string {
  return join(ownPackage()?.folder ?? '.', 'dist/web')
}

function ownPackage(): { readonly folder: string; readonly version: string } | undefined {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const version = versionIn(join(at, 'package.json'))
    if (version) return { folder: at, version }
  }
  return undefined
}

function versionIn(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'))
    return name === 'ambit' ? version : undefined
  } catch {
    return undefined
  }
}
