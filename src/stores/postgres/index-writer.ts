import { ContextError } from '../../core/errors.ts'
import type { LeaseTimes, Work } from '../lease.ts'
import { bytesOf } from '../numbers.ts'
import type { IndexChange, IndexWriter, NewPostings, SegmentLengths } from '../store.ts'
import { idOf } from './collections.ts'
import { bury } from './dead.ts'
import { insertDocuments, replaceSkipped, stampDocuments } from './documents.ts'
import { NOW, PostgresLease } from './lease.ts'
import { grouped, packed } from './packed.ts'
import type { Queries, Sql } from './sql.ts'

/**
 * Segments that nobody will finish: whoever began them begins another, or has ended. In one statement: one that is made active
 * meanwhile, by who lives though its lease ran out, is none of them any more.
 */
const DROP_ABANDONED = `
  DELETE FROM ambit.segments s WHERE active = 0 AND (holder IS NULL OR holder = $1
    OR NOT EXISTS (SELECT 1 FROM ambit.leases l WHERE l.holder = s.holder AND l.expires > ${NOW}))
  RETURNING id`

const DROP_POSTINGS = 'DELETE FROM ambit.postings WHERE segment = ANY($1::bigint[])'

/** Locked: nobody takes it away before the end of the write. */
const BEGUN = 'SELECT 1 FROM ambit.segments WHERE id = $1 AND active = 0 FOR SHARE'

const BEGIN = 'INSERT INTO ambit.segments (active, holder) VALUES (0, $1) RETURNING id'

const PUT = `
  INSERT INTO ambit.postings (segment, term, data)
  SELECT $1, a.term, substring($3::bytea FROM a.start FOR a.length)
  FROM unnest($2::text[], $4::int[], $5::int[]) AS a (term, start, length)`

const ACTIVATE = `
  UPDATE ambit.segments SET active = 1, docs = $1, ids = $2, body_lengths = $3, title_lengths = $4,
    live_docs = $1, live_body = $5, live_title = $6 WHERE id = $7 AND active = 0`

const LOST = `
  SELECT a.id FROM unnest($1::bigint[]) AS a (id) WHERE NOT EXISTS (SELECT 1 FROM ambit.documents d WHERE d.id = a.id)`

interface Made {
  readonly segment: number
  readonly ids: Uint32Array
  readonly lengths: SegmentLengths
}

/** What others read changes with `apply` alone: before it, many write at once. */
export class PostgresIndexWriter implements IndexWriter {
  readonly #sql: Sql
  readonly #lease: PostgresLease

  constructor(sql: Sql, work: Work, times?: LeaseTimes) {
    this.#sql = sql
    this.#lease = new PostgresLease(sql, work, times)
  }

  async begin(): Promise<number> {
    return this.#sql.write('segments', async (queries) => {
      await this.#lease.assertHeld(queries)
      const { holder = null } = this.#lease
      const gone = await queries.column<number>(DROP_ABANDONED, holder)
      if (gone.length > 0) await queries.run(DROP_POSTINGS, gone)
      const [id = -1] = await queries.column<number>(BEGIN, holder)
      return id
    })
  }

  async put(segment: number, terms: readonly NewPostings[]): Promise<void> {
    await this.#sql.write(`segment ${segment}`, async (queries) => {
      await this.#lease.assertHeld(queries)
      if (!(await queries.get(BEGUN, segment))) throw gone()
      for (const group of grouped(terms, ([term, postings]) => term.length + postings.length)) {
        const { data, offsets, lengths } = packed(group.map(([, postings]) => postings))
        await queries.run(
          PUT,
          segment,
          group.map(([term]) => term),
          data,
          offsets,
          lengths,
        )
      }
    })
  }

  async apply({ added, removed = [], stamped = [], skipped, merged }: IndexChange): Promise<void> {
    await this.#sql.write('library', async (queries) => {
      await this.#lease.assertHeld(queries)
      await bury(queries, removed)
      await stampDocuments(queries, stamped)
      if (added) await add(queries, added)
      if (skipped) await replaceSkipped(queries, skipped.collection, skipped.files)
      if (merged) await replace(queries, merged)
    })
  }

  exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#lease.held(waitMs, work, signal)
  }
}

async function drop(queries: Queries, segments: readonly number[]): Promise<void> {
  if (segments.length === 0) return
  await queries.run(DROP_POSTINGS, segments)
  await queries.run('DELETE FROM ambit.segments WHERE id = ANY($1::bigint[])', segments)
}

async function add(queries: Queries, added: NonNullable<IndexChange['added']>): Promise<void> {
  const { collection, documents, segment, lengths } = added
  const ids = await insertDocuments(queries, await idOf(queries, collection), documents)
  await activate(queries, { segment, ids: Uint32Array.from(ids), lengths })
}

async function replace(queries: Queries, merged: NonNullable<IndexChange['merged']>): Promise<void> {
  await drop(queries, merged.instead)
  await activate(queries, merged)
  // Removed while the segments were merged: their old marks went with the old segments.
  await bury(queries, await queries.column<number>(LOST, [...merged.ids]))
}

async function activate(queries: Queries, { segment, ids, lengths }: Made): Promise<void> {
  const { bodyLengths, titleLengths } = lengths
  const blobs = [bytesOf(ids), bytesOf(bodyLengths), bytesOf(titleLengths)]
  const changed = await queries.run(ACTIVATE, ids.length, ...blobs, sum(bodyLengths), sum(titleLengths), segment)
  if (changed === 0) throw gone()
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function gone(): ContextError {
  return new ContextError('conflict', 'The segment that was being written is gone.')
}
