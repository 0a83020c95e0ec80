/** Indexing by another process, while somebody waits for it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, type ErrorCode, throwIfAborted } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { type IndexJob, type IndexJobStore, isUnfinished } from '../stores/index-jobs.ts'
import { MOST_EACH } from '../stores/jobs.ts'
import type { Collection } from '../stores/store.ts'
import type { IndexAnswer } from './answers.ts'
import { type IndexOutcome, type IndexRequest, isOfRoot, toIndexAnswer } from './indexing.ts'
import type { Library } from './library.ts'

export { BackgroundIndex, indexInBackground } from './library/background-index.ts'

interface Asking {
  readonly owner: string
  /** Hears how far it is. */
  readonly run: Run
}

/** How often the row of a job is read. Milliseconds. */
const LOOK_MS = 250

/** Times that a job is asked for again after somebody else stopped it. */
const TRIES = 5

/**
 * Asks for a job for each collection, so that workers share them out, and waits for all of them.
 *
 * @throws ContextError as where it is done in this process, when all that was asked for has ended.
 */
export async function indexElsewhere(
  { collections, port }: Library,
  request: IndexRequest,
  asking: Asking,
): Promise<IndexAnswer> {
  const known = await collections.list()
  const names = new Set(request.names?.length ? request.names : known.map(({ name }) => name))
  const wanted = known.filter(({ name }) => names.has(name))
  if (wanted.length < names.size || names.size === 0) return collections.index(request, SILENT)
  const outcomes: IndexOutcome[] = []
  const errors: unknown[] = []
  const waiting = wanted.values()
  const force = request.force === true
  const waitInTurn = async () => {
    for (const collection of waiting) {
      await indexOne(port.indexJobs, collection, { ...asking, force }).then(
        (outcome) => outcomes.push(outcome),
        (error) => errors.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: MOST_EACH }, waitInTurn))
  if (errors.length > 0) throw errors[0]
  return toIndexAnswer(outcomes.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

/** @throws ContextError `cancelled`, also where somebody else stops it again and again. */
async function indexOne(
  indexJobs: IndexJobStore,
  collection: Collection,
  { force, owner, run }: Asking & { readonly force: boolean },
): Promise<IndexOutcome> {
  const { name } = collection
  for (let tries = 1; ; tries++) {
    await indexJobs.ask(name, { owner, isForced: force }, true)
    const job = await followJob(indexJobs, name, run)
    if (run.signal?.aborted) await indexJobs.stop(name, true)
    throwIfAborted(run.signal)
    // The one that was under way may not read all files.
    if (job && job.state !== 'stopped' && (job.isForced || !force)) return outcomeOf(job, collection)
    if (tries === TRIES) throw new ContextError('cancelled', 'The job was cancelled.', { hint: 'Ask again.' })
  }
}

/** Gives the job when it has ended or the signal fires; undefined where the collection is gone. */
async function followJob(indexJobs: IndexJobStore, name: string, { signal, emit }: Run): Promise<IndexJob | undefined> {
  for (let last = ''; ; await sleep(LOOK_MS, undefined, { signal }).catch(() => {})) {
    const job = (await indexJobs.list()).find(({ collection }) => collection === name)
    const [done, total] = [job?.done ?? 0, job?.total ?? 0]
    if (total > 0 && last !== `${done}/${total}`) emit({ type: 'progress', what: name, done, total })
    last = `${done}/${total}`
    if (signal?.aborted || !job || !isUnfinished(job)) return job
  }
}

interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

function outcomeOf({ answer, problem = '' }: IndexJob, collection: Collection): IndexOutcome {
  const outcome = answer === undefined ? {} : JSON.parse(answer)
  if ('index' in outcome) return outcome.index
  const { code, message, hint }: Failure = outcome.failure ?? { code: 'unavailable', message: problem }
  const error = new ContextError(code, message, hint === undefined ? {} : { hint })
  if (!isOfRoot(error, collection)) throw error
  return { name: collection.name, error }
}
