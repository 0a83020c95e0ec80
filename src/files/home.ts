import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

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
