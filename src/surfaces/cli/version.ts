import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version of this program, from the nearest package.json above it. */
export function version(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const found = versionIn(join(at, 'package.json'))
    if (found) return found
  }
  return 'unknown'
}

function versionIn(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'))
    return name === 'ambit' ? version : undefined
  } catch {
    return undefined
  }
}
