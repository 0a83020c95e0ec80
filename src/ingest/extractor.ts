import { EventEmitter, once as onceEvent } from 'node:events'
import { ContextError, invalidInput, throwIfAborted } from '../core/errors.ts'
import { loadOnce } from '../core/steps.ts'
import { type ExtractTask, formatOf, isParsed } from './extract/format.ts'
import { WorkerProcess, workerNotStarted } from './extract/worker-process.ts'
import {
  EXTRACT_LIMITS,
  type ExtractedContent,
  type Extraction,
  type ExtractLimits,
  fileTooLarge,
} from './extracted.ts'

export { networkIsolation } from './extract/worker-process.ts'
export { storedZip } from './extract/zip.ts'

export interface ExtractorOptions {
  /** Default: `EXTRACT_LIMITS`. */
  readonly limits?: Partial<ExtractLimits>
  /** Maximum concurrent workers. Default: 2. */
  readonly workers?: number
  /** The program of a worker. Default: the module `worker` beside this module. A bundle sets another path. */
  readonly worker?: URL
}

/** Maximum bytes of a text that is read in this process. A longer text would block other work, for up to a second. */
const LARGE_TEXT = 512 * 1024

/** Imports the module once, because even a repeated import takes as long as reading a small file. */
const loadTextReader = loadOnce(() => import('./extract/text.ts'))

/**
 * The address of the worker's program. It has the extension of this file: `.ts` in the sources, `.js` after
 * compilation.
 */
function workerUrl(url: string): URL {
  return new URL(`./worker${url.slice(url.lastIndexOf('.'))}`, url)
}

/**
 * Reads files of all formats: text of up to half a mebibyte in this process; longer text, HTML, PDF and office files in
 * worker processes. Workers start when needed, read one file at a time, and do not keep the program alive while idle.
 */
export class Extractor {
  readonly #limits: ExtractLimits
  readonly #workerProgram: URL
  /** Number of free places for concurrent files. */
  #freePlaces: number
  /** Resolves waiting calls when a place becomes free. */
  readonly #releases = new EventEmitter().setMaxListeners(0)
  readonly #idle: WorkerProcess[] = []
  readonly #busy = new Set<WorkerProcess>()
  readonly #closed = new AbortController()

  constructor({ limits, workers = 2, worker = workerUrl(import.meta.url) }: ExtractorOptions = {}) {
    this.#limits = { ...EXTRACT_LIMITS, ...limits }
    this.#workerProgram = worker
    this.#freePlaces = workers
  }

  /**
   * The searchable text of a file, or why there is none. The format and the default title come from `path`.
   *
   * @throws ContextError `cancelled` by the signal or by `close`; `unavailable` if no worker can start.
   */
  async extract(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Extraction> {
    return await this.#extract({ path, bytes }, signal)
  }

  /** As `extract`, but extracts only the article of an HTML page, if the page has one. */
  async extractArticle(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Extraction> {
    return await this.#extract({ path, bytes, article: true }, signal)
  }

  async #extract(file: Pick<ExtractTask, 'path' | 'bytes' | 'article'>, signal?: AbortSignal): Promise<Extraction> {
    throwIfAborted(signal)
    throwIfAborted(this.#closed.signal)
    const { path, bytes } = file
    const limits = this.#limits
    const format = formatOf(path, bytes)
    if (format === undefined || (!isParsed(format) && (bytes.length <= LARGE_TEXT || bytes.length > limits.textBytes)))
      return (await loadTextReader()).extractText(path, bytes, limits)
    if (bytes.length > limits.fileBytes) return fileTooLarge(bytes.length, limits.fileBytes)
    const stopSignal = AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])])
    return await this.#parseInWorker({ ...file, format, limits }, stopSignal)
  }

  /** Ends the workers and cancels their work. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all([...this.#idle, ...this.#busy].map((worker) => worker.end()))
  }

  async #parseInWorker(task: ExtractTask, signal: AbortSignal): Promise<Extraction> {
    await this.#waitForPlace(signal)
    try {
      return await this.#run(this.#takeWorker(), task, signal)
    } finally {
      this.#freePlaces++
      this.#releases.emit('pass')
    }
  }

  async #run(worker: WorkerProcess, task: ExtractTask, signal: AbortSignal): Promise<Extraction> {
    this.#busy.add(worker)
    try {
      return await worker.run(task, signal)
    } finally {
      this.#busy.delete(worker)
      if (worker.isUsable) this.#idle.push(worker)
    }
  }

  /** An idle worker, else a new one. */
  #takeWorker(): WorkerProcess {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) if (worker.isUsable) return worker
    try {
      return new WorkerProcess(this.#workerProgram, this.#limits)
    } catch (error) {
      throw workerNotStarted(error)
    }
  }

  async #waitForPlace(signal: AbortSignal): Promise<void> {
    while (this.#freePlaces === 0)
      await onceEvent(this.#releases, 'pass', { signal }).catch(() => throwIfAborted(signal))
    this.#freePlaces--
  }
}

/**
 * The text of one page of a file. A file without pages is a single page.
 *
 * @param page From 1.
 * @throws ContextError `invalid-input` for a file without text; `not-found` for a missing page; `cancelled`.
 */
export async function pageText(
  path: string,
  bytes: Uint8Array,
  { page = 1, signal }: { readonly page?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
) {
  const { text, pages: pageStarts = [1] } = await extractOnce(path, bytes, signal)
  const start = pageStarts[page - 1]
  if (start === undefined)
    throw new ContextError('not-found', `${path} has no page ${page}.`, { hint: `It has ${pageStarts.length}.` })
  const lines = text.split('\n').slice(start - 1, (pageStarts[page] ?? Number.POSITIVE_INFINITY) - 1)
  return { text: lines.join('\n').trim(), page, pages: pageStarts.length }
}

/**
 * The text of a document, whatever its format.
 *
 * @throws ContextError `invalid-input` for a file without text; `cancelled`.
 */
export async function attachmentText(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  return (await extractOnce(name, bytes, signal)).text
}

async function extractOnce(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ExtractedContent> {
  const extractor = new Extractor({ workers: 1 })
  try {
    const extraction = await extractor.extract(name, bytes, signal)
    if (extraction.ok) return extraction
    throw invalidInput(`${name} has no text that can be read: ${extraction.detail}`)
  } finally {
    await extractor.close()
  }
}
