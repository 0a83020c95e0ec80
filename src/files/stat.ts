import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The stat of a path, links followed; undefined for whatever cannot be had, whyever. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

/** The path with the links of what exists of it followed; the rest, which need not exist, as it is. */
export function realOf(path: string): string {
  // No system opens a longer one.
  if (path.length > 4096) return path
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), basename(path))
  }
}
