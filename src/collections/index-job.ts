/** Indexing as a job: a row of the store requests it, a worker process does it, and a caller may wait for the result. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import { type FlowEvent, type Run, SILENT } from '../core/flow.ts'
import { mapParallel } from '../core/steps.ts'
import { type IndexAttempt, type IndexJob, type IndexJobStore, isUnfinished } from '../stores/index-jobs.ts'
import { HANDED_OVER, type Jobs, MAX_PER_OWNER, type Task } from '../stores/jobs.ts'
import type { Collection } from '../stores/store.ts'
import { type IndexOutcome, type IndexRequest, isRootError, toIndexAnswer } from './indexing.ts'
import type { Library } from './library.ts'

interface JobRequester {
  readonly owner: string
  /** Receives the progress. */
  readonly run: Run
}

/** Milliseconds between two reads of the row of a job. */
const POLL_MS = 250

/** Maximum requests for one job. A job that another client stopped is requested again. */
const MAX_REQUESTS = 5

/**
 * Requests a job for each collection, so that workers share the collections, and waits for all of them.
 *
 * @throws ContextError after all jobs have ended: the same errors as indexing in this process.
 */
export async function indexByWorkers({ collections, port }: Library, request: IndexRequest, requester: JobRequester) {
  const allCollections = await collections.list()
  const names = new Set(request.names?.length ? request.names : allCollections.map(({ name }) => name))
  const requested = allCollections.filter(({ name }) => names.has(name))
  if (requested.length < names.size || names.size === 0) return collections.index(request, SILENT)
  const force = request.force === true
  const results = await mapParallel(requested, { atOnce: MAX_PER_OWNER }, (collection) =>
    Promise.allSettled([requestIndex(port.indexJobs, collection, { ...requester, force })]),
  )
  return toIndexAnswer(
    results.flat().map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    }),
  )
}

/** @throws ContextError `cancelled` if the signal fires, or if others stop the job `MAX_REQUESTS` times. */
async function requestIndex(
  indexJobs: IndexJobStore,
  collection: Collection,
  { force, owner, run }: JobRequester & { readonly force: boolean },
): Promise<IndexOutcome> {
  const { name } = collection
  for (let attempts = 1; ; attempts++) {
    await indexJobs.addJob(name, { owner, isForced: force }, true)
    const job = await followJob(indexJobs, name, run)
    if (run.signal?.aborted) await indexJobs.stop(name, true)
    throwIfAborted(run.signal)
    // A job that was already open may not read all files, so with `force` the loop requests another one.
    if (job && job.state !== 'stopped' && (job.isForced || !force)) return outcomeOf(job, collection)
    if (attempts === MAX_REQUESTS) throw new ContextError('cancelled', 'The job was cancelled.', { hint: 'Ask again.' })
  }
}

/** Waits until a job has ended or the signal fires; the job, or undefined if the collection was removed. */
async function followJob(indexJobs: IndexJobStore, name: string, { signal, emit }: Run): Promise<IndexJob | undefined> {
  for (let lastProgress = ''; ; await sleep(POLL_MS, undefined, { signal }).catch(() => {})) {
    const job = (await indexJobs.list()).find(({ collection }) => collection === name)
    if (!job) return undefined
    const { done, total } = job
    if (total > 0 && lastProgress !== `${done}/${total}`) emit({ type: 'progress', what: name, done, total })
    lastProgress = `${done}/${total}`
    if (signal?.aborted || !isUnfinished(job)) return job
  }
}

/** The outcome of an ended job. @throws ContextError for an error that is not about the root of the collection. */
function outcomeOf({ answer, problem = '' }: IndexJob, collection: Collection): IndexOutcome {
  const outcome = answer === undefined ? {} : JSON.parse(answer)
  if ('index' in outcome) return outcome.index
  const { code, message, hint } = outcome.failure ?? { code: 'unavailable', message: problem }
  const error = new ContextError(code, message, { hint })
  if (!isRootError(error, collection)) throw error
  return { name: collection.name, error }
}

/** Milliseconds between two writes of the progress. Each write also checks whether the job was stopped. */
const PROGRESS_MS = 500

/** A job fails after its process died during this many attempts. */
const MAX_ATTEMPTS = 5

interface BackgroundDependencies {
  library(): Promise<Library>
  jobs(): Promise<Jobs>
  /** The requesting principal. */
  readonly owner: string
}

/** Jobs that index collections, for one principal. */
export class BackgroundIndex {
  readonly #dependencies: BackgroundDependencies

  constructor(dependencies: BackgroundDependencies) {
    this.#dependencies = dependencies
  }

  /** Requests jobs, and returns at once. A collection with an open job keeps it. @throws ContextError `not-found`. */
  async start({ names = [], force = false }: IndexRequest): Promise<IndexJob[]> {
    const { port, collections } = await this.#dependencies.library()
    const collectionNames = names.length > 0 ? names : (await collections.list()).map(({ name }) => name)
    const { owner } = this.#dependencies
    for (const name of collectionNames) await port.indexJobs.addJob(name, { owner, isForced: force })
    const jobs = await this.#dependencies.jobs()
    for (const key of collectionNames) jobs.add({ kind: 'index', key, owner })
    return this.list(collectionNames)
  }

  /** The jobs of these collections; without names, all jobs. */
  async list(names: readonly string[] = []): Promise<IndexJob[]> {
    const jobs = await (await this.#dependencies.library()).port.indexJobs.list()
    return names.length === 0 ? jobs : jobs.filter(({ collection }) => names.includes(collection))
  }

  /**
   * Stops the jobs of these collections in all processes. Documents that are already indexed stay. @throws ContextError
   * `not-found`.
   */
  async stop(names: readonly string[]): Promise<IndexJob[]> {
    const { port, collections } = await this.#dependencies.library()
    for (const name of names) {
      await collections.show(name)
      await port.indexJobs.stop(name)
    }
    return this.list(names)
  }
}

/**
 * Runs the job of a collection, and runs the job again if it was requested during the run. @throws ContextError if the
 * job stays open.
 */
export function indexInBackground(library: Library, { key, signal }: Task): Promise<void> {
  const { indexJobs } = library.port
  return indexJobs.exclusively(key, async () => {
    for (let job = await indexJobs.begin(key); job; job = await indexJobs.begin(key)) {
      if (job.attempts > MAX_ATTEMPTS) await indexJobs.end(job, { state: 'failed', problem: GIVEN_UP_PROBLEM })
      else await attemptIndex(library, job, signal)
    }
  })
}

const GIVEN_UP_PROBLEM = `The server ended ${MAX_ATTEMPTS} times while it indexed this.`

async function attemptIndex({ port, collections }: Library, job: IndexJob, signal: AbortSignal): Promise<void> {
  const { indexJobs } = port
  using progress = trackProgress(indexJobs, job)
  const run = { signal: AbortSignal.any([signal, progress.stopped]), emit: progress.emit }
  try {
    const { collections: indexed } = await collections.index({ names: [job.collection], force: job.isForced }, run)
    await progress.write()
    const problem = indexed[0]?.problem
    const answer = JSON.stringify({ index: indexed[0] })
    await indexJobs.end(job, { answer, ...(problem === undefined ? { state: 'done' } : { state: 'failed', problem }) })
  } catch (error) {
    // The job was stopped, or another process began it again.
    if (progress.stopped.aborted) return
    if (isContinuedElsewhere(error, signal)) await indexJobs.putBack(job)
    if (signal.aborted || !(error instanceof ContextError) || error.code === 'conflict') throw error
    const { code, message, hint } = error
    const answer = JSON.stringify({ failure: { code, message, hint } })
    await indexJobs.end(job, { state: 'failed', problem: message, answer })
  }
}

/**
 * Whether another process continues the job, because this process ends, or because the other process already indexes the
 * collection.
 */
function isContinuedElsewhere(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted ? signal.reason === HANDED_OVER : error instanceof ContextError && error.code === 'conflict'
}

/** Writes the progress of an attempt every `PROGRESS_MS`. The store answers whether the attempt may continue. */
function trackProgress(store: IndexJobStore, attempt: IndexAttempt) {
  const controller = new AbortController()
  let progress: Pick<IndexJob, 'done' | 'total'> = { done: 0, total: 0 }
  const write = async () => {
    if (!(await store.reportProgress(attempt, progress))) controller.abort()
  }
  // After a failure the next write tries again.
  const timer = setInterval(() => write().catch(() => {}), PROGRESS_MS).unref()
  return {
    /** Fires when the attempt must end. */
    stopped: controller.signal,
    emit: (event: FlowEvent) => {
      if (event.type === 'progress') progress = event
    },
    write,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
