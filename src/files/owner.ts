import type { Stats } from 'node:fs'
import { statOf } from './stat.ts'

/**
 * Whether something above a directory was put there by a stranger: it belongs neither to the user who asks, nor to
 * root, nor to whoever owns the directory. So nobody can plant a project root or a context directory in /tmp. Systems
 * without owners know no strangers.
 */
export function isForeign(found: Stats, directory: string): boolean {
  const user = process.getuid?.()
  return user !== undefined && ![user, 0, statOf(directory)?.uid].includes(found.uid)
}
