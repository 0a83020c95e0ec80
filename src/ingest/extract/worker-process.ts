import { type ChildProcess, fork } from 'node:child_process'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { type Extraction, type ExtractLimits, type NotExtracted, notExtracted } from '../extracted.ts'
import { confinedStart } from './sandbox.ts'
import { type ExtractTask, READY } from './task.ts'

/** What a process may hold altogether for each byte of heap. */
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
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
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
    const stopped = () => this.#stop(() => throwIfAborted(signal), reject)
    const timer = setTimeout(() => this.#stop(() => resolve(tooSlow(task)), reject), task.limits.timeMs)
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

  /** Ends the process in the middle of a file: `settle` says, or throws, what becomes of it. */
  #stop(settle: () => void, reject: (reason: unknown) => void): void {
    try {
      settle()
    } catch (error) {
      reject(error)
    }
    void this.end()
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

function tooSlow({ limits }: ExtractTask): NotExtracted {
  return notExtracted('over-limit', `It took longer than ${limits.timeMs / 1000} s to read.`)
}

/** What is said when no process can be had. */
export function notStarted(cause?: unknown): ContextError {
  return new ContextError('unavailable', 'The process that reads HTML, PDF and office files did not start.', {
    hint: `Check that ${process.execPath} can be started from here, and that the installation is complete.`,
    cause,
  })
}
