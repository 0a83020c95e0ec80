/** Kind of an error, for programs. Each surface maps it to its own codes. */
export type ErrorCode =
  | 'not-found'
  | 'invalid-input'
  | 'conflict'
  | 'denied'
  | 'untrusted'
  | 'unavailable'
  | 'over-limit'
  | 'cancelled'

/**
 * The error class of the product. The message says what is wrong, and names the values; `hint` says what to do.
 * An error of another class is a bug, and surfaces (command line, MCP, HTTP) report it as a bug.
 */
export class ContextError extends Error {
  readonly code: ErrorCode
  readonly hint?: string

  constructor(code: ErrorCode, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'ContextError'
    this.code = code
    if (options.hint !== undefined) this.hint = options.hint
  }
}

/**
 * A problem of a whole bucket, or of the credentials: the next object would fail, too. Declared here, because all bundled files of the program must
 * share one class.
 */
export class BucketTrouble extends ContextError {}

/** The database does not answer now. The same work may succeed later. */
export class StoreTrouble extends ContextError {}

/**
 * A token budget has no room for the shortest answer. `tokens`: a budget that suffices. `alternative`: what else the
 * caller can do, as the end of a sentence.
 */
export class BudgetTooSmall extends ContextError {
  readonly tokens: number
  readonly alternative: string

  constructor(tokens: number, alternative: string) {
    const hint = `Give ${tokens} tokens or more${alternative}.`
    super('invalid-input', 'The budget has no room for an answer.', { hint })
    this.tokens = tokens
    this.alternative = alternative
  }
}

/** A user has reached a limit, and can try again after some of the user's work has ended: `over-limit`. */
export class LimitReached extends ContextError {
  constructor(message: string, hint = 'Wait until some of the work is done.') {
    super('over-limit', message, { hint })
  }
}

/** The disk is full: `unavailable`. */
export class NoSpace extends ContextError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('unavailable', message, { hint: 'Free some space and try again; nothing is lost.', ...options })
  }
}

/** Other programs run or load a file of this name, so Ambit does not write it: `denied`. */
export class UnsafeFileName extends ContextError {
  constructor(message: string) {
    super('denied', message, { hint: 'Choose another name.' })
  }
}

/** Hint for data that a newer version of Ambit wrote. */
export const INSTALL_NEWER = 'Install the newest version of Ambit'

/** Error codes of a missing module, for `import` and `require`. */
const MISSING_MODULE: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/**
 * Loads an optional package. `need`: what needs the package, as a sentence without its full stop. `packages`: the arguments of `npm install`.
 *
 * @throws ContextError `unavailable` if the package is not installed; the package's own error if its code fails.
 */
export async function loadPackage<Module>(load: () => Promise<Module>, need: string, packages: string) {
  try {
    return await load()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && MISSING_MODULE.includes(cause.code))) throw cause
    const hint = `Install it beside ambit: npm install -g ${packages} (without -g where ambit is installed in a project)`
    throw new ContextError('unavailable', `${need}.`, { hint, cause })
  }
}

/** A copy of the error. Its message has `newName` in place of `name`. */
export function renameInError(error: ContextError, name: string, newName: string): ContextError {
  return new ContextError(error.code, error.message.replaceAll(name, newName), error)
}

/** Default hints, by kind of error. */
const HINTS: Readonly<Record<ErrorCode, string>> = {
  'not-found': 'Check the name and its spelling.',
  'invalid-input': 'Correct the input that the message names, and try again.',
  conflict: 'Try again: another process changed it at the same time.',
  denied: 'Check the permissions, or name another place.',
  untrusted: 'Read it first, and trust it only if you agree with it.',
  unavailable: 'Try again in a moment. "ambit doctor" shows what does not work.',
  'over-limit': 'Ask for less at once.',
  cancelled: 'Start it again if you still need it.',
}

/** The hint of an error, or the default hint of its code. Programs rely on a hint in every error. */
export function hintOf({ code, hint }: Pick<ContextError, 'code' | 'hint'>): string {
  return hint ?? HINTS[code]
}

/** A value that somebody wrote, in quotation marks for a message, cut after 200 characters. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.slice(0, 200))
}

/** An error about an input. `hint`: how to correct it. */
export function invalidInput(message: string, hint?: string): ContextError {
  return new ContextError('invalid-input', message, { hint })
}

/** A command line is not valid: exit code 2. */
export class UsageError extends ContextError {
  constructor(message: string, hint: string) {
    super('invalid-input', message, { hint })
  }
}

/** The result of the work. If the work fails with a ContextError other than `cancelled`, the result of `recover`. */
export async function orElse<Value, Other>(work: Promise<Value>, recover: (error: ContextError) => Other) {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
    return recover(error)
  }
}

/** The result of a read; undefined if it fails for any reason. */
export function tryToRead<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

export function isNotFound(error: unknown): error is ContextError {
  return error instanceof ContextError && error.code === 'not-found'
}

/** @throws ContextError `cancelled` if the signal has fired. */
export function throwIfAborted(signal?: AbortSignal): void {
  if (signal?.aborted) throw cancelledError(signal)
}

/** The error of a call whose signal has fired. */
export function cancelledError(signal: AbortSignal): ContextError {
  return new ContextError('cancelled', 'The call was cancelled.', { cause: signal.reason })
}

/** The problem and the hint of each limit or failure of the machine, by the code of the failed system call. */
const SYSTEM_FAILURES: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  EMFILE: ['This process has reached its limit of open files', 'Raise the limit, for example with: ulimit -n 1024'],
  ENFILE: ['The system has reached its limit of open files', 'End other programs, or raise the limit.'],
  ENOSPC: ['No space is left on the disk', 'Free some space and run it again.'],
  EDQUOT: ['Your quota of the disk is used up', 'Free some space and run it again.'],
  EROFS: ['The file system is read-only', 'Name a place that can be written.'],
  EIO: ['The disk failed', 'Check the disk and its connection, and run it again.'],
  ENOMEM: ['No memory is left', 'End other programs, or give the process more memory.'],
  ENOBUFS: ['No memory is left for the network', 'End other programs, or give the process more memory.'],
  ERR_MEMORY_ALLOCATION_FAILED: ['No memory is left', 'End other programs, or give the process more memory.'],
  ERR_WORKER_OUT_OF_MEMORY: ['No memory is left', 'End other programs, or give the process more memory.'],
  ERR_WORKER_INIT_FAILED: [
    'No thread can be started',
    'Raise the limit of processes, for example with: ulimit -u 4096',
  ],
  EAGAIN: ['No process can be started', 'End other programs, or raise the limit, for example with: ulimit -u 4096'],
}

const DISK_FULL: readonly string[] = ['ENOSPC', 'EDQUOT']

/** The error itself if it is a ContextError; a new ContextError for a limit of the machine; undefined for a bug. */
export function asContextError(error: unknown): ContextError | undefined {
  return error instanceof ContextError ? error : findSystemFailure(error)
}

function findSystemFailure(error: unknown): ContextError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const limit = Object.hasOwn(SYSTEM_FAILURES, code) ? SYSTEM_FAILURES[code] : undefined
  if (!limit) return findSystemFailure(error.cause)
  const [problem, hint] = limit
  const options = { hint, cause: error }
  const message = `${problem} (${code}).`
  return DISK_FULL.includes(code) ? new NoSpace(message, options) : new ContextError('unavailable', message, options)
}
