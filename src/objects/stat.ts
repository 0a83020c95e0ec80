import { readdirSync, type Stats, statSync } from 'node:fs'

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

/** The names in a directory, in whatever order the system gives them; none for what cannot be listed. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
