import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { ContextError, cancelledError, throwIfAborted } from '../../core/errors.ts'
import { type Extraction, type ExtractLimits, type NotExtracted, notExtracted } from '../extracted.ts'
import { type ExtractTask, READY } from './format.ts'

/** Maximum memory of the process, as a multiple of its maximum heap. */
const MEMORY_PER_HEAP = 1.5

/** Signals of a process that is out of memory: V8 aborts it, or its guard kills it. */
const OUT_OF_MEMORY: readonly (string | undefined)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']

/**
 * A process that reads one file at a time, and ends when the reading takes too long or too much memory. A thread would
 * not do, because V8 often aborts the whole program when a thread is out of memory, despite `resourceLimits`. The
 * process has only PATH in its environment, and sends messages, but has no other output.
 */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #exited = Promise.withResolvers<void>()
  #isReady = false
  #isUsable = true

  /** Starts the process. After the first `run` it does not keep the program alive. */
  constructor(url: URL, { memoryMiB }: ExtractLimits) {
    this.#child = fork(url, [memoryMiB * MEMORY_PER_HEAP * 1024 * 1024, process.pid].map(String), {
      ...confinedStart(url, memoryMiB),
      // PATH is needed to find the program unshare.
      env: PATH,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.once('message', () => {
      this.#isReady = true
    })
    this.#child.on('exit', () => this.#onExit()).on('error', () => this.#onExit())
  }

  /** False after its end, or while it ends. */
  get isUsable(): boolean {
    return this.#isUsable
  }

  /**
   * Reads a file. Call it for one file at a time. @throws ContextError `cancelled` by the signal, which ends the
   * process; `unavailable` if it does not start.
   */
  async run(task: ExtractTask, signal?: AbortSignal): Promise<Extraction> {
    throwIfAborted(signal)
    const { promise, resolve, reject } = Promise.withResolvers<Extraction>()
    const onMessage = (message: unknown) => message !== READY && resolve(message as Extraction)
    const onExit = (_: unknown, exitSignal?: string) =>
      this.#isReady ? resolve(workerLost(task, exitSignal)) : reject(workerNotStarted())
    const onAbort = () => {
      reject(signal && cancelledError(signal))
      void this.end()
    }
    const onTimeout = () => {
      resolve(notExtracted('over-limit', `It took longer than ${task.limits.timeMs / 1000} s to read.`))
      void this.end()
    }
    const timer = setTimeout(onTimeout, task.limits.timeMs)
    const child = this.#child.on('message', onMessage).on('exit', onExit).on('error', onExit)
    signal?.addEventListener('abort', onAbort)
    this.#setKeepsAlive(true)
    // Ignores the error of a failed send: the process has ended, which is reported.
    child.send(task, () => {})
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onExit)
      signal?.removeEventListener('abort', onAbort)
      if (this.#isUsable) this.#setKeepsAlive(false)
    }
  }

  /** Ends the process, and waits for its end. */
  async end(): Promise<void> {
    this.#isUsable = false
    this.#setKeepsAlive(true)
    this.#child.kill('SIGKILL')
    await this.#exited.promise
  }

  #onExit(): void {
    this.#isUsable = false
    this.#exited.resolve()
  }

  #setKeepsAlive(keepsAlive: boolean): void {
    const method = keepsAlive ? 'ref' : 'unref'
    this.#child[method]()
    this.#child.channel?.[method]()
  }
}

function workerLost({ limits }: ExtractTask, exitSignal?: string): NotExtracted {
  if (!OUT_OF_MEMORY.includes(exitSignal)) return notExtracted('failed', 'Its parser broke down.')
  return notExtracted('over-limit', `It took more than ${limits.memoryMiB} MiB of memory to read.`)
}

/** The error if no process can start. */
export function workerNotStarted(cause?: unknown): ContextError {
  return new ContextError('unavailable', 'The process that reads HTML, PDF and office files did not start.', {
    hint: `Check that ${process.execPath} can be started from here, and that the installation is complete.`,
    cause,
  })
}

/** Network isolation of a worker: a network namespace, or nothing, with the reason. */
type NetworkIsolation = { readonly by: 'namespace' } | { readonly by: 'nothing'; readonly why: string }

/** Time limit of `unshare` in milliseconds. */
const UNSHARE_TIMEOUT_MS = 2_000

/**
 * Arguments of `unshare` that start a program without any network, even loopback. Users other than root need a user
 * namespace for this. Root does without, because in a user namespace root cannot read files of other users, such as an
 * installed program.
 */
const UNSHARE_ARGUMENTS = [...(process.getuid?.() === 0 ? [] : ['--user']), '--net', '--']

let isolation: NetworkIsolation | undefined

/** How readers are isolated from the network. Tested once per process. */
export function networkIsolation(): NetworkIsolation {
  isolation ??= tryIsolation()
  return isolation
}

function tryIsolation(): NetworkIsolation {
  if (process.platform !== 'linux') return { by: 'nothing', why: `${process.platform} has no network namespaces` }
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARE_ARGUMENTS, 'true'], {
    timeout: UNSHARE_TIMEOUT_MS,
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
 * How to start Node so that it reads only the files of the program, writes no files, starts no other program and
 * evaluates no text; if the system allows, without network. `worker`: the program, which starts a guard thread.
 */
function confinedStart(worker: URL, memoryMiB: number) {
  const directory = dirname(findPackageJSON(worker.href) ?? worker.pathname)
  const nodeArguments = [
    `--max-old-space-size=${memoryMiB}`,
    '--disallow-code-generation-from-strings',
    '--permission',
    `--allow-fs-read=${directory}/*`,
    '--allow-worker',
  ]
  if (networkIsolation().by === 'nothing') return { execPath: process.execPath, execArgv: nodeArguments }
  return { execPath: 'unshare', execArgv: [...UNSHARE_ARGUMENTS, process.execPath, ...nodeArguments] }
}
