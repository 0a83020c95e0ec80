import type { Why } from '../core/flow.ts'
import { shortenPath } from '../text/paths.ts'

/** Why a path was not opened: a word to act on, and one sentence that names no place outside the root. */
export interface Refused {
  readonly ok: false
  readonly why: Why
  readonly detail: string
}

export function toRefused(why: Why, detail: string): Refused {
  return { ok: false, why, detail }
}

/** The refusal that stands for a failed system call. Rethrows what is not one: that is a bug. */
export function refusedBy(error: unknown, name: string): Refused {
  const code = systemCodeOf(error)
  const file = shortenPath(name)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return toRefused('missing', `${file} does not exist.`)
    case 'EACCES':
    case 'EPERM':
      return toRefused('unreadable', `${file} may not be read: permission denied.`)
    case 'ELOOP':
      return toRefused('unreadable', `${file} is a symlink loop, or a chain of too many symlinks.`)
    case 'ENAMETOOLONG':
      return toRefused('unreadable', `${file} has a name or path that is too long for the file system.`)
    case 'ENXIO':
      return toRefused('unreadable', `${file} is a socket or a device.`)
    case 'EMFILE':
    case 'ENFILE':
      return toRefused('failed', `${file} could not be opened: too many open files (${code}).`)
    default:
      return toRefused('failed', `${file} could not be read (${code}).`)
  }
}

/** The code of a failed system call, such as `ENOENT`. Rethrows any other error. */
export function systemCodeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string') {
    return error.code
  }
  throw error
}
