/** Indexing in the background: what is asked for is kept in the store, and done by whichever process works on jobs. */

import { createHash } from 'node:crypto'
import { ContextError } from '../../core/errors.ts'
import { type IndexAttempt, type IndexJob, type IndexJobStore, isUnfinished } from '../../stores/index-jobs.ts'
import { HANDED_OVER, type Job, type Jobs, type Task } from '../../stores/jobs.ts'
import type { Store } from '../../stores/store.ts'
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
    const queue = await this.#parts.jobs()
    for (const name of all) await queue.enqueue(queuedIndexJob(name, owner))
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

/** As it stands in the queue. One for each collection. */
function queuedIndexJob(name: string, owner: string): Job {
  const data = { name, isKept: true }
  return { kind: 'index', key: createHash('sha256').update(JSON.stringify(data)).digest('hex'), owner, data }
}

/** Jobs that are to be done and that no living process does: for the queue, which knows some of them already. */
export async function waitingIndexJobs({
  indexJobs,
  collections,
}: Pick<Store, 'indexJobs' | 'collections'>): Promise<Job[]> {
  const open = (await indexJobs.list()).filter(isUnfinished)
  if (open.length === 0) return []
  const held = await collections.indexing()
  return open
    .filter(({ collection, state }) => state === 'queued' || !held.includes(collection))
    .map(({ collection, owner }) => queuedIndexJob(collection, owner))
}

/** What a worker does with a job that is kept. Another one that was asked for meanwhile is done next. */
export async function workInBackground(library: Library, { data, signal }: Task): Promise<void> {
  const { indexJobs } = library.port
  const { name } = data as { readonly name: string }
  const waiting = await waitingIndexJobs(library.port)
  // Another process has it by now; should that end, the job is put into the queue again.
  if (!waiting.some((job) => job.data?.name === name)) return
  for (let job = await indexJobs.begin(name); job; job = await indexJobs.begin(name)) {
    if (job.attempts > MOST_ATTEMPTS) await indexJobs.end(job, { state: 'failed', problem: GIVEN_UP })
    else await attemptIndex(library, job, signal)
  }
}

const GIVEN_UP = `The server ended ${MOST_ATTEMPTS} times while it indexed this.`

async function attemptIndex({ port, collections }: Library, job: IndexJob, signal: AbortSignal): Promise<void> {
  const { indexJobs } = port
  using progress = new KeptProgress(indexJobs, job)
  const run = { signal: AbortSignal.any([signal, progress.stopped]), emit: progress.emit }
  try {
    const answer = await collections.index({ names: [job.collection], force: job.isForced }, run)
    await progress.write()
    const problem = answer.collections[0]?.problem
    await indexJobs.end(job, problem === undefined ? { state: 'done' } : { state: 'failed', problem })
  } catch (error) {
    // Somebody stopped it, or another process has begun it again.
    if (progress.stopped.aborted) return
    if (isLeftToOthers(error, signal)) await indexJobs.putBack(job)
    if (signal.aborted || !(error instanceof ContextError) || error.code === 'conflict') throw error
    await indexJobs.end(job, { state: 'failed', problem: error.message })
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
