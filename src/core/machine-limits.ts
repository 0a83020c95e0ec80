import { ContextError, NoSpace } from './errors.ts'

/** What a failed system call says about the machine, by its code: what is wrong, and what to do. */
const LIMITS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EMFILE: ['This process has as many files open as it may', 'Raise the limit of open files, as with: ulimit -n 1024'],
  ENFILE: ['All processes together have as many files open as they may', 'End other programs, or raise the limit.'],
  ENOSPC: ['No space is left on the disk', 'Free some space and run it again.'],
  EDQUOT: ['Your quota of the disk is used up', 'Free some space and run it again.'],
  EROFS: ['The file system is read-only', 'Name a place that can be written.'],
  EIO: ['The disk failed', 'Check the disk and its connection, and run it again.'],
  ENOMEM: ['No memory is left', 'End other programs, or give the process more memory.'],
  ENOBUFS: ['No memory is left for the network', 'End other programs, or give the process more memory.'],
  ERR_MEMORY_ALLOCATION_FAILED: ['No memory is left', 'End other programs, or give the process more memory.'],
  ERR_WORKER_OUT_OF_MEMORY: ['No memory is left', 'End other programs, or give the process more memory.'],
  ERR_WORKER_INIT_FAILED: ['No thread can be started', 'Raise the limit of processes, as with: ulimit -u 4096'],
  EAGAIN: ['No process can be started', 'End other programs, or raise the limit, as with: ulimit -u 4096'],
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT']

/** Returns a ContextError as it is, and a limit of the machine as a ContextError; undefined for a bug. */
export function asContextError(error: unknown): ContextError | undefined {
  return error instanceof ContextError ? error : limitBehind(error)
}

function limitBehind(error: unknown): ContextError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const limit = Object.hasOwn(LIMITS, code) ? LIMITS[code] : undefined
  if (!limit) return limitBehind(error.cause)
  const [what, hint] = limit
  const options = { hint, cause: error }
  const message = `${what} (${code}).`
  return FULL.includes(code) ? new NoSpace(message, options) : new ContextError('unavailable', message, options)
}
