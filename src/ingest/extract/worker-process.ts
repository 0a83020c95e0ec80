import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { type Extraction, type ExtractLimits, type NotExtracted, notExtracted } from '../extracted.ts'
import { type ExtractTask, READY } from './format.ts'

/** Memory of the whole process for each byte of heap. */
const MEMORY_PER_HEAP = 1.5

/** How a process ends that is out of memory: V8 aborts it, or its guard kills it. */
const OUT_OF_MEMORY: readonly (string | undefined)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']

/**
 * A process that reads one file at a time, and is gone when that takes too long or too much memory. It is not a thread:
 * where a thread is out of memory, V8 aborts the whole program as often as not, whatever `resourceLimits` say. It has
 * no environment and no output; it is heard by messages only.
 */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #gone = Promise.withResolvers<void>()
  #ready = false
  #usable = true

  /** Starts it, for a first `run`; after that it does not keep the program alive. */
  constructor(url: URL, { memoryMiB }: ExtractLimits) {
    this.#child = fork(url, [memoryMiB * MEMORY_PER_HEAP * 1024 * 1024, process.pid].map(String), {
      ...confinedStart(url, memoryMiB),
      // For finding unshare alone.
      env: PATH,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.once('message', () => {
      this.#ready = true
    })
    this.#child.on('exit', () => this.#leave()).on('error', () => this.#leave())
  }

  /** False when it is gone, or going. */
  get usable(): boolean {
    return this.#usable
  }

  /**
   * Reads a file; only one at a time.
   * @throws ContextError `cancelled` by the signal, which ends the process; `unavailable` when it does not start.
   */
  async run(task: ExtractTask, signal?: AbortSignal): Promise<Extraction> {
    throwIfAborted(signal)
    const { promise, resolve, reject } = Promise.withResolvers<Extraction>()
    const answered = (message: unknown) => message !== READY && resolve(message as Extraction)
    const gone = (_: unknown, how?: string) => (this.#ready ? resolve(workerLost(task, how)) : reject(notStarted()))
    const stopped = () => {
      reject(new ContextError('cancelled', 'The call was cancelled.', { cause: signal?.reason }))
      void this.end()
    }
    const late = () => {
      resolve(notExtracted('over-limit', `It took longer than ${task.limits.timeMs / 1000} s to read.`))
      void this.end()
    }
    const timer = setTimeout(late, task.limits.timeMs)
    const child = this.#child.on('message', answered).on('exit', gone).on('error', gone)
    signal?.addEventListener('abort', stopped)
    this.#keepsAlive(true)
    // A failed send shows in the exit as well.
    child.send(task, () => {})
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      child.off('message', answered).off('exit', gone).off('error', gone)
      signal?.removeEventListener('abort', stopped)
      if (this.#usable) this.#keepsAlive(false)
    }
  }

  /** Ends the process. Resolves when it is gone. */
  async end(): Promise<void> {
    this.#usable = false
    this.#keepsAlive(true)
    this.#child.kill('SIGKILL')
    await this.#gone.promise
  }

  #leave(): void {
    this.#usable = false
    this.#gone.resolve()
  }

  #keepsAlive(busy: boolean): void {
    const word = busy ? 'ref' : 'unref'
    this.#child[word]()
    this.#child.channel?.[word]()
  }
}

function workerLost({ limits }: ExtractTask, how?: string): NotExtracted {
  if (!OUT_OF_MEMORY.includes(how)) return notExtracted('failed', 'Its parser broke down.')
  return notExtracted('over-limit', `It took more than ${limits.memoryMiB} MiB of memory to read.`)
}

/** Error where no process can start. */
export function notStarted(cause?: unknown): ContextError {
  return new ContextError('unavailable', 'The process that reads HTML, PDF and office files did not start.', {
    hint: `Check that ${process.execPath} can be started from here, and that the installation is complete.`,
    cause,
  })
}

/** Network isolation of a reader: a namespace of its own, or none, with the reason. */
type NetworkIsolation = { readonly by: 'namespace' } | { readonly by: 'nothing'; readonly why: string }

/** Milliseconds after which `unshare` is taken for one that does not answer. */
const PATIENCE_MS = 2_000

/**
 * Starts a program where there is no network, not even this machine's. Who is not root needs a namespace of users for that;
 * in one, root could not read what belongs to others, such as a program that another user installed.
 */
const UNSHARE = [...(process.getuid?.() === 0 ? [] : ['--user']), '--net', '--']

let known: NetworkIsolation | undefined

/** Tried once in a process. */
export function networkIsolation(): NetworkIsolation {
  known ??= tryIsolation()
  return known
}

function tryIsolation(): NetworkIsolation {
  if (process.platform !== 'linux') return { by: 'nothing', why: `${process.platform} has no network namespaces` }
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], {
    timeout: PATIENCE_MS,
    encoding: 'utf8',
    env: PATH,
  })
  if (status === 0) return { by: 'namespace' }
  const why = error
    ? 'the program unshare (util-linux) is not installed'
    : stderr.trim() || `unshare ended with ${status}`
  return { by: 'nothing', why }
}

const PATH = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/**
 * Starts Node without an environment, so that it reads the files of the program alone, writes none, starts no program and
 * evaluates no text; without a network where the system lets one have that. Its guard is a thread. `worker`: its program.
 */
function confinedStart(worker: URL, memoryMiB: number) {
  const program = dirname(findPackageJSON(worker.href) ?? worker.pathname)
  const node = [
    `--max-old-space-size=${memoryMiB}`,
    '--disallow-code-generation-from-strings',
    '--permission',
    `--allow-fs-read=${program}/*`,
    '--allow-worker',
  ]
  if (networkIsolation().by === 'nothing') return { execPath: process.execPath, execArgv: node }
  return { execPath: 'unshare', execArgv: [...UNSHARE, process.execPath, ...node] }
}
