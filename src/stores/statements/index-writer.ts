import { ContextError } from '../../core/errors.ts'
import type { IndexChange, NewPostings } from '../library.ts'
import { requireCollection } from './collections.ts'
import { markDeleted } from './dead.ts'
import { insertDocuments, putSkipped, stampDocuments } from './documents.ts'
import { Lease, type LeaseName, type LeaseTimes } from './lease.ts'
import { bytesOf } from './segment-numbers.ts'
import { type Database, execute, insertMany, type Statements, selectColumn } from './statement.ts'

/**
 * Deletes segments that no process will finish: their holder (the writing process) begins another segment, or has lost
 * its lease. A single statement, so that it cannot delete a segment that its holder activates at this moment.
 */
const DROP_ABANDONED = `
  DELETE FROM ambit.segments AS s WHERE active = 0 AND (holder IS NULL OR holder = ?
    OR NOT EXISTS (SELECT * FROM ambit.leases l WHERE l.holder = s.holder AND l.expires > {now}))
  RETURNING id`

const DROP_POSTINGS = 'DELETE FROM ambit.postings WHERE segment {anyOf number}'
const DROP_SEGMENTS = 'DELETE FROM ambit.segments WHERE id {anyOf number}'

const BEGIN_SEGMENT = 'INSERT INTO ambit.segments (active, holder) VALUES (0, ?) RETURNING id'

/** Locks the segment, so that no process deletes it before the end of the write. */
const LOCK_SEGMENT = 'SELECT 1 FROM ambit.segments WHERE id = ? AND active = 0 {forShare}'

const ACTIVATE = `
  UPDATE ambit.segments SET active = 1, docs = ?, ids = ?, body_lengths = ?, title_lengths = ?,
    live_docs = ?, live_body = ?, live_title = ? WHERE id = ? AND active = 0`

const MISSING_DOCUMENTS = `
  SELECT a.value FROM {each number} WHERE NOT EXISTS (SELECT * FROM ambit.documents d WHERE d.id = a.value)`

type MergedSegment = NonNullable<IndexChange['merged']>

/**
 * Writes the index of one collection, or merges segments. One process at a time writes under a `leaseName`. Only
 * `apply` changes what readers see.
 */
export function createIndexWriter(database: Database, leaseName: LeaseName, times?: LeaseTimes) {
  const lease = new Lease(database, leaseName, { times })
  return {
    /**
     * Deletes abandoned segments, begins a new segment, and returns its id. Readers see the segment after an `apply`
     * with this id.
     */
    begin: (): Promise<number> =>
      lease.write('segments', function* () {
        const { holder = null } = lease
        const abandoned = yield* selectColumn<number>(DROP_ABANDONED, holder)
        if (abandoned.length > 0) yield* execute(DROP_POSTINGS, abandoned)
        const [id = -1] = yield* selectColumn<number>(BEGIN_SEGMENT, holder)
        return id
      }),
    /** Adds postings to a segment that `begin` made. */
    put: (segment: number, terms: readonly NewPostings[]): Promise<void> =>
      lease.write(`segment ${segment}`, function* () {
        if ((yield* selectColumn(LOCK_SEGMENT, segment)).length === 0) throw abandonedSegment()
        const rows = terms.map(([term, postings]) => [segment, term, postings])
        yield* insertMany('postings', ['segment', 'term', 'data'], rows)
      }),
    apply: ({ added, removed = [], stamped = [], skipped, merged }: IndexChange): Promise<void> =>
      lease.write('library', function* () {
        yield* markDeleted(removed)
        yield* stampDocuments(stamped)
        if (added) yield* addSegment(added)
        if (skipped) yield* putSkipped(skipped)
        if (merged) yield* replaceSegments(merged)
      }),
    /**
     * Runs `write` while no other process has the lease; waits until the lease is free. If another process takes over during
     * `write`, calls of this writer throw `conflict`.
     *
     * @param signal ends the wait, but does not end `write`
     * @throws ContextError `conflict` when another process still writes after `waitMs`; `cancelled`.
     */
    exclusively: <Value>(waitMs: number, write: () => Promise<Value>, signal?: AbortSignal): Promise<Value> => {
      const writeAndCompact = async () => {
        const value = await write()
        await database.compact()
        return value
      }
      return lease.hold(waitMs, writeAndCompact, signal)
    },
  }
}

function* addSegment({ collection, documents, ...newSegment }: NonNullable<IndexChange['added']>): Statements<void> {
  const ids = yield* insertDocuments(yield* requireCollection(collection), documents)
  yield* activateSegment({ ...newSegment, ids: Uint32Array.from(ids) })
}

function* replaceSegments({ replacedIds, ...newSegment }: MergedSegment): Statements<void> {
  if (replacedIds.length > 0) {
    yield* execute(DROP_POSTINGS, replacedIds)
    yield* execute(DROP_SEGMENTS, replacedIds)
  }
  yield* activateSegment(newSegment)
  // Documents that were deleted during the merge are marked in the old segments only.
  yield* markDeleted(yield* selectColumn<number>(MISSING_DOCUMENTS, [...newSegment.ids]))
}

function* activateSegment({ segment, ids, lengths }: Omit<MergedSegment, 'replacedIds'>): Statements<void> {
  const { bodyLengths, titleLengths } = lengths
  const live = [ids.length, sumOf(bodyLengths), sumOf(titleLengths)]
  const blobs = [bytesOf(ids), bytesOf(bodyLengths), bytesOf(titleLengths)]
  if ((yield* execute(ACTIVATE, ids.length, ...blobs, ...live, segment)) === 0) throw abandonedSegment()
}

function sumOf(numbers: Uint32Array): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function abandonedSegment(): ContextError {
  return new ContextError('conflict', 'The segment that was being written is gone.')
}
