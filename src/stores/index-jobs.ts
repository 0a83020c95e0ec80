/** Stores indexing jobs: which collections wait, their progress, and the result. */

import { JOBS } from './jobs.ts'
import { requireCollection } from './statements/collections.ts'
import { Lease, type LeaseTimes } from './statements/lease.ts'
import { type Database, execute, notify, queryRows, readRow, selectRow } from './statements/statement.ts'

/** `queued` and `running` are states of an open job; the other states say how the last job ended. */
export type IndexJobState = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** The indexing of one collection as a job. A collection has at most one job. */
export interface IndexJob {
  readonly collection: string
  /** The principal that requested the job; `''` is the local owner. */
  readonly owner: string
  /** Whether the job reads every file, even a file with unchanged size and times. */
  readonly isForced: boolean
  readonly state: IndexJobState
  /** Number of times that the job began. A job whose process ended begins again. */
  readonly attempts: number
  /** Number of files that the current attempt has finished, and number of files to read; both 0 until known. */
  readonly done: number
  readonly total: number
  /** Why the job failed, or could not read the root of the collection. */
  readonly problem?: string
  /** The result as JSON, for a process that waits for the job. */
  readonly answer?: string
  /** ISO 8601, UTC. */
  readonly askedAt: string
  readonly updatedAt: string
}

/** One attempt at a job. After the next attempt begins, writes of this attempt change nothing. */
export type IndexAttempt = Pick<IndexJob, 'collection' | 'attempts'>

export type IndexJobOutcome = Pick<IndexJob, 'problem' | 'answer'> & { readonly state: 'done' | 'failed' }

/** Whether the job is open. */
export function isUnfinished({ state }: Pick<IndexJob, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

const INDEX_JOBS = `
  SELECT c.name AS collection, j.owner, j.forced AS "isForced", j.state, j.attempts, j.done, j.total, j.problem, j.answer,
    j.asked_at AS "askedAt", j.updated_at AS "updatedAt"
  FROM ambit.index_jobs j JOIN ambit.collections c ON c.id = j.collection_id`

const ADD_JOB = `
  INSERT INTO ambit.index_jobs AS j (collection_id, owner, forced, awaited, state, asked_at, updated_at)
  VALUES (?, ?, ?, ?, 'queued', {isoNow}, {isoNow})
  ON CONFLICT (collection_id) DO UPDATE SET owner = excluded.owner, forced = excluded.forced,
    awaited = excluded.awaited, state = 'queued', attempts = 0, done = 0, total = 0, problem = NULL, answer = NULL,
    asked_at = excluded.asked_at, updated_at = excluded.updated_at
  WHERE j.state NOT IN ('queued', 'running')`

const IS_OF_COLLECTION = 'collection_id = (SELECT id FROM ambit.collections WHERE name = ?)'
const IS_OPEN = `${IS_OF_COLLECTION} AND state IN ('queued', 'running')`
const IS_THIS_ATTEMPT = `${IS_OF_COLLECTION} AND state = 'running' AND attempts = ?`

const BEGIN_ATTEMPT = `
  UPDATE ambit.index_jobs SET state = 'running', attempts = attempts + 1, done = 0, total = 0, updated_at = {isoNow}
  WHERE ${IS_OPEN}`
const SET_PROGRESS = `UPDATE ambit.index_jobs SET done = ?, total = ?, updated_at = {isoNow} WHERE ${IS_THIS_ATTEMPT}`
const SET_UNAWAITED = `UPDATE ambit.index_jobs SET awaited = 0 WHERE ${IS_OPEN}`
const END_JOB = `UPDATE ambit.index_jobs SET state = ?, problem = ?, answer = ?, updated_at = {isoNow} WHERE ${IS_THIS_ATTEMPT}`
const PUT_BACK = `
  UPDATE ambit.index_jobs SET state = 'queued', attempts = attempts - 1, updated_at = {isoNow} WHERE ${IS_THIS_ATTEMPT}`
const STOP_JOB = `UPDATE ambit.index_jobs SET state = 'stopped', updated_at = {isoNow} WHERE ${IS_OPEN} AND awaited >= ?`

const indexJobOf = (row: object): IndexJob => readRow(row, { flags: ['isForced'] })

export function createIndexJobStore(database: Database, times?: LeaseTimes) {
  return {
    /** All jobs, by collection. */
    list: () => database.read(queryRows<object>(`${INDEX_JOBS} ORDER BY c.name`), (rows) => rows.map(indexJobOf)),
    /**
     * Adds a job, unless the collection has an open job.
     *
     * @param isAwaited whether the job may be stopped when no caller waits for it. After one request with false, the
     * job runs to the end.
     * @throws ContextError `not-found`.
     */
    addJob: (
      collection: string,
      { owner, isForced }: Pick<IndexJob, 'owner' | 'isForced'>,
      isAwaited = false,
    ): Promise<void> =>
      database.write('library', function* () {
        yield* execute(ADD_JOB, yield* requireCollection(collection), owner, Number(isForced), Number(isAwaited))
        if (!isAwaited) yield* execute(SET_UNAWAITED, collection)
        yield* notify(JOBS)
      }),
    /** Begins an attempt at the open job; undefined when there is no open job. */
    begin: (collection: string): Promise<IndexJob | undefined> =>
      database.write('library', function* () {
        if ((yield* execute(BEGIN_ATTEMPT, collection)) === 0) return undefined
        const row = yield* selectRow<object>(`${INDEX_JOBS} WHERE c.name = ?`, collection)
        return row && indexJobOf(row)
      }),
    /** Stores the progress. Returns false if the job was stopped or another attempt began, and this attempt must end. */
    reportProgress: async ({ collection, attempts }: IndexAttempt, { done, total }: Pick<IndexJob, 'done' | 'total'>) =>
      (await database.writeOne(SET_PROGRESS, done, total, collection, attempts)) > 0,
    end: ({ collection, attempts }: IndexAttempt, { state, problem, answer }: IndexJobOutcome) =>
      database.writeOne(END_JOB, state, problem ?? null, answer ?? null, collection, attempts),
    /** Queues the job again, for any process. The attempt does not count as an attempt. */
    putBack: ({ collection, attempts }: IndexAttempt) => database.writeOne(PUT_BACK, collection, attempts),
    /**
     * Stops the open job of a collection, in any process. `isAwaited`: only if all its requests were awaited.
     * Returns whether a job was stopped.
     */
    stop: async (collection: string, isAwaited = false) =>
      (await database.writeOne(STOP_JOB, collection, Number(isAwaited))) > 0,
    /** Runs `work` under the lease of the job. @throws ContextError `conflict` at once if another process has the lease. */
    exclusively: <Value>(collection: string, work: () => Promise<Value>): Promise<Value> =>
      new Lease(database, `indexing ${collection}`, { times }).hold(0, work),
  }
}

export type IndexJobStore = ReturnType<typeof createIndexJobStore>
