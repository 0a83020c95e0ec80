/** Indexing in the background: a row of the store asks for it, and a process that does jobs does it. */

import { ContextError } from '../../core/errors.ts'
import type { IndexAttempt, IndexJob, IndexJobStore } from '../../stores/index-jobs.ts'
import { HANDED_OVER, type Jobs, type Task } from '../../stores/jobs.ts'
import type { IndexRequest } from '../indexing.ts'
import type { Library } from '../library.ts'

/** How often the progress is written, and how soon a job that was stopped ends. Milliseconds. */
const TELL_MS = 500

/** A job that ends so often with the process that does it is given up. */
const MOST_ATTEMPTS = 5

interface BackgroundParts {
  library(): Promise<Library>
  jobs(): Promise<Jobs>
  /** Who asks. */
  readonly owner: string
}

/** The indexing of collections in the background, as somebody sees it. */
export class BackgroundIndex {
  readonly #parts: BackgroundParts

  constructor(parts: BackgroundParts) {
    this.#parts = parts
  }

  /** Asks for it: a collection that waits for it, or has it done, stays as it is. Returns at once. @throws ContextError `not-found`. */
  async start({ names = [], force = false }: IndexRequest): Promise<IndexJob[]> {
    const { port, collections } = await this.#parts.library()
    const all = names.length > 0 ? names : (await collections.list()).map(({ name }) => name)
    const { owner } = this.#parts
    for (const name of all) await port.indexJobs.ask(name, { owner, isForced: force })
    const jobs = await this.#parts.jobs()
    for (const key of all) jobs.add({ kind: 'index', key, owner })
    return this.list(all)
  }

  /** Those of these collections; without names, of all that have one. */
  async list(names: readonly string[] = []): Promise<IndexJob[]> {
    const jobs = await (await this.#parts.library()).port.indexJobs.list()
    return names.length === 0 ? jobs : jobs.filter(({ collection }) => names.includes(collection))
  }

  /** Ends them, in whichever process; what was indexed by then stays. @throws ContextError `not-found`. */
  async stop(names: readonly string[]): Promise<IndexJob[]> {
    const { port, collections } = await this.#parts.library()
    for (const name of names) {
      await collections.show(name)
      await port.indexJobs.stop(name)
    }
    return this.list(names)
  }
}

/** Does a job; another one that was asked for meanwhile is done next. @throws ContextError where it is still to be done. */
export function indexInBackground(library: Library, { key, signal }: Task): Promise<void> {
  const { indexJobs } = library.port
  return indexJobs.exclusively(key, async () => {
    for (let job = await indexJobs.begin(key); job; job = await indexJobs.begin(key)) {
      if (job.attempts > MOST_ATTEMPTS) await indexJobs.end(job, { state: 'failed', problem: GIVEN_UP })
      else await attemptIndex(library, job, signal)
    }
  })
}

const GIVEN_UP = `The server ended ${MOST_ATTEMPTS} times while it indexed this.`

async function attemptIndex({ port, collections }: Library, job: IndexJob, signal: AbortSignal): Promise<void> {
  const { indexJobs } = port
  using progress = new KeptProgress(indexJobs, job)
  const run = { signal: AbortSignal.any([signal, progress.stopped]), emit: progress.emit }
  try {
    const { collections: outcomes } = await collections.index({ names: [job.collection], force: job.isForced }, run)
    await progress.write()
    const problem = outcomes[0]?.problem
    const answer = JSON.stringify({ index: outcomes[0] })
    await indexJobs.end(job, { answer, ...(problem === undefined ? { state: 'done' } : { state: 'failed', problem }) })
  } catch (error) {
    // Somebody stopped it, or another process has begun it again.
    if (progress.stopped.aborted) return
    if (isLeftToOthers(error, signal)) await indexJobs.putBack(job)
    if (signal.aborted || !(error instanceof ContextError) || error.code === 'conflict') throw error
    const { code, message, hint } = error
    const answer = JSON.stringify({ failure: { code, message, ...(hint !== undefined && { hint }) } })
    await indexJobs.end(job, { state: 'failed', problem: message, answer })
  }
}

/** This process ends, or another one is at the same collection. */
function isLeftToOthers(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted ? signal.reason === HANDED_OVER : error instanceof ContextError && error.code === 'conflict'
}

/** Writes how far an attempt is, some times a second, and hears by that whether it is to go on. */
class KeptProgress implements Disposable {
  readonly #store: IndexJobStore
  readonly #attempt: IndexAttempt
  readonly #stopping = new AbortController()
  readonly #timer: NodeJS.Timeout
  #known = { done: 0, total: 0 }

  constructor(store: IndexJobStore, attempt: IndexAttempt) {
    this.#store = store
    this.#attempt = attempt
    // Where the database does not answer now, the next time tells.
    this.#timer = setInterval(() => this.write().catch(() => {}), TELL_MS).unref()
  }

  /** Fires when it is not to go on. */
  get stopped(): AbortSignal {
    return this.#stopping.signal
  }

  readonly emit = (event: { readonly type: string; readonly done?: number; readonly total?: number }): void => {
    if (event.type === 'progress') this.#known = { done: event.done ?? 0, total: event.total ?? 0 }
  }

  async write(): Promise<void> {
    if (!(await this.#store.tell(this.#attempt, this.#known))) this.#stopping.abort()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
