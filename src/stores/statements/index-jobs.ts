import type { IndexAttempt, IndexJob, IndexJobStore } from '../index-jobs.ts'
import { requireCollection } from './collections.ts'
import { JOBS } from './jobs.ts'
import { Lease, type LeaseTimes } from './lease.ts'
import { type Database, execute, notify, queryRows, type Statements, selectRow } from './statement.ts'

interface JobRow extends Omit<IndexJob, 'isForced' | 'problem' | 'answer'> {
  readonly forced: number
  readonly problem: string | null
  readonly answer: string | null
}

const INDEX_JOBS = `
  SELECT c.name AS collection, j.owner, j.forced, j.state, j.attempts, j.done, j.total, j.problem, j.answer,
    j.asked_at AS "askedAt", j.updated_at AS "updatedAt"
  FROM ambit.index_jobs j JOIN ambit.collections c ON c.id = j.collection_id`

const ASK = `
  INSERT INTO ambit.index_jobs AS j (collection_id, owner, forced, awaited, state, asked_at, updated_at)
  VALUES (?, ?, ?, ?, 'queued', {isoNow}, {isoNow})
  ON CONFLICT (collection_id) DO UPDATE SET owner = excluded.owner, forced = excluded.forced,
    awaited = excluded.awaited, state = 'queued', attempts = 0, done = 0, total = 0, problem = NULL, answer = NULL,
    asked_at = excluded.asked_at, updated_at = excluded.updated_at
  WHERE j.state NOT IN ('queued', 'running')`

const OF_NAME = 'collection_id = (SELECT id FROM ambit.collections WHERE name = ?)'
const IS_OPEN = `${OF_NAME} AND state IN ('queued', 'running')`
const IS_HELD = `${OF_NAME} AND state = 'running' AND attempts = ?`

const BEGIN = `
  UPDATE ambit.index_jobs SET state = 'running', attempts = attempts + 1, done = 0, total = 0, updated_at = {isoNow}
  WHERE ${IS_OPEN}`
const TELL = `UPDATE ambit.index_jobs SET done = ?, total = ?, updated_at = {isoNow} WHERE ${IS_HELD}`
const KEEP = `UPDATE ambit.index_jobs SET awaited = 0 WHERE ${IS_OPEN}`
const END = `UPDATE ambit.index_jobs SET state = ?, problem = ?, answer = ?, updated_at = {isoNow} WHERE ${IS_HELD}`
const PUT_BACK = `
  UPDATE ambit.index_jobs SET state = 'queued', attempts = attempts - 1, updated_at = {isoNow} WHERE ${IS_HELD}`
const STOP = `UPDATE ambit.index_jobs SET state = 'stopped', updated_at = {isoNow} WHERE ${IS_OPEN} AND awaited >= ?`

/** Jobs of indexing, in a database. */
export function createIndexJobStore(database: Database, times?: LeaseTimes): IndexJobStore {
  const ofAttempt = ({ collection, attempts }: IndexAttempt) => [collection, attempts] as const
  return {
    list: () => database.read(queryRows<JobRow>(`${INDEX_JOBS} ORDER BY c.name`), (rows) => rows.map(indexJobOf)),
    ask: (collection, { owner, isForced }, isAwaited = false) =>
      database.write('library', function* () {
        yield* execute(ASK, yield* requireCollection(collection), owner, Number(isForced), Number(isAwaited))
        if (!isAwaited) yield* execute(KEEP, collection)
        yield* notify(JOBS)
      }),
    begin: (collection) => database.write('library', () => beginJob(collection)),
    tell: async (attempt, { done, total }) => (await database.writeOne(TELL, done, total, ...ofAttempt(attempt))) > 0,
    end: async (attempt, { state, problem = null, answer = null }) => {
      await database.writeOne(END, state, problem, answer, ...ofAttempt(attempt))
    },
    putBack: async (attempt) => {
      await database.writeOne(PUT_BACK, ...ofAttempt(attempt))
    },
    stop: async (collection, isAwaited = false) => (await database.writeOne(STOP, collection, Number(isAwaited))) > 0,
    exclusively: (collection, work) => new Lease(database, `indexing ${collection}`, times).hold(0, work),
  }
}

function* beginJob(collection: string): Statements<IndexJob | undefined> {
  if ((yield* execute(BEGIN, collection)) === 0) return undefined
  const row = yield* selectRow<JobRow>(`${INDEX_JOBS} WHERE c.name = ?`, collection)
  return row && indexJobOf(row)
}

function indexJobOf({ forced, problem, answer, ...row }: JobRow): IndexJob {
  const outcome = { ...(problem !== null && { problem }), ...(answer !== null && { answer }) }
  return { ...row, isForced: forced === 1, ...outcome }
}
