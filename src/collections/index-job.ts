/**
 * Indexing as a job: one that another process does while somebody waits, whose key is what is asked, so that who asks for the
 * same waits for the same; and one in the background, which is kept in the store and outlives who asked and who works on it.
 */

import { createHash } from 'node:crypto'
import { ContextError, type ErrorCode } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { type Job, type Jobs, MOST_EACH, type Task, type Asking as Waiting } from '../stores/jobs.ts'
import type { Collection } from '../stores/store.ts'
import type { IndexAnswer } from './answers.ts'
import { type IndexOutcome, type IndexRequest, isOfRoot, toIndexAnswer } from './indexing.ts'
import { workInBackground } from './library/background-index.ts'
import type { Library } from './library.ts'

export { BackgroundIndex, waitingIndexJobs } from './library/background-index.ts'

interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

interface Asking {
  readonly owner: string
  /** Hears how far it is, as where it is done in this process; some of it is left out. */
  readonly run: Run
}

const TRIES = 5

/**
 * A job for each collection, so that workers share them out. Who asks names what there is for them; where that is wrong, it is
 * told as everywhere.
 *
 * @throws ContextError as where it is done in this process, when all that was asked for has ended.
 */
export async function indexElsewhere(
  jobs: Jobs,
  { collections }: Library,
  request: IndexRequest,
  { owner, run }: Asking,
): Promise<IndexAnswer> {
  const known = await collections.list()
  const names = new Set(request.names?.length ? request.names : known.map(({ name }) => name))
  const wanted = known.filter(({ name }) => names.has(name))
  if (wanted.length < names.size || names.size === 0) return collections.index(request, SILENT)
  const outcomes: IndexOutcome[] = []
  const errors: unknown[] = []
  const waiting = wanted.values()
  const asking = async () => {
    for (const collection of waiting) {
      const asked = oneElsewhere(jobs, collection, { force: request.force === true, owner, run })
      await asked.then(
        (outcome) => outcomes.push(outcome),
        (error) => errors.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: MOST_EACH }, asking))
  if (errors.length > 0) throw errors[0]
  return toIndexAnswer(outcomes.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

async function oneElsewhere(
  jobs: Jobs,
  collection: Collection,
  { force, owner, run }: Asking & { readonly force: boolean },
): Promise<IndexOutcome> {
  const { name } = collection
  const data = { name, force }
  const key = createHash('sha256').update(JSON.stringify(data)).digest('hex')
  const heard = (news: string) => run.emit(JSON.parse(news))
  const told = await awaitJob(jobs, { kind: 'index', key, owner, data }, { signal: run.signal, heard })
  const answer = JSON.parse(told ?? '{}')
  if (!('failure' in answer)) return answer.index
  const error = thrown(answer.failure)
  if (!isOfRoot(error, collection)) throw error
  return { name, error }
}

/** Where another who waited for the same went away, and the job with them, it is asked for again. */
async function awaitJob(jobs: Jobs, job: Job, waiting: Waiting): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await jobs.ask(job, waiting)
    } catch (error) {
      const isOthers = error instanceof ContextError && error.code === 'cancelled' && !waiting.signal?.aborted
      if (!isOthers || tries >= TRIES) throw error
    }
  }
}

/** What a worker does. Only where it ends before it is done is it done again, by another. */
export async function indexJob(library: Library, task: Task): Promise<string | undefined> {
  const { data, signal, tell } = task
  if (data?.isKept === true) {
    await workInBackground(library, task)
    return undefined
  }
  try {
    const { name, force } = data as { readonly name: string; readonly force: boolean }
    const run: Run = { signal, emit: (event) => tell(JSON.stringify(event)) }
    const {
      collections: [index],
    } = await library.collections.index({ names: [name], force }, run)
    return JSON.stringify({ index })
  } catch (error) {
    if (signal.aborted || !(error instanceof ContextError)) throw error
    const { code, message, hint } = error
    const failure: Failure = { code, message, ...(hint !== undefined && { hint }) }
    return JSON.stringify({ failure })
  }
}

function thrown({ code, message, hint }: Failure): ContextError {
  return new ContextError(code, message, hint === undefined ? {} : { hint })
}
