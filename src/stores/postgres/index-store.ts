import { ContextError } from '../../core/errors.ts'
import type { DocumentFilter } from '../document-store.ts'
import type { LeaseTimes } from '../lease.ts'
import { isOpen } from '../matching.ts'
import { bytesOf, numbersOf } from '../numbers.ts'
import type {
  IndexChange,
  IndexRequest,
  IndexStore,
  IndexView,
  SegmentLengths,
  StoredSegment,
  TermPostings,
} from '../store.ts'
import { idOf } from './collections.ts'
import { bury } from './dead.ts'
import { insertDocuments, replaceSkipped, stampDocuments } from './documents.ts'
import { matchingIds } from './filter.ts'
import { PostgresLease } from './lease.ts'
import { grouped, packed } from './packed.ts'
import type { Queries, Sql } from './sql.ts'

interface SegmentRow extends Omit<StoredSegment, 'ids' | 'bodyLengths' | 'titleLengths' | 'live' | 'dead'> {
  readonly ids: Uint8Array | null
  readonly bodyLengths: Uint8Array | null
  readonly titleLengths: Uint8Array | null
  readonly liveDocs: number
  readonly liveBody: number
  readonly liveTitle: number
  readonly dead: Uint8Array | null
}

/** All segments as of one version, and what filters let through of them. */
interface Current {
  readonly version: number
  readonly list: readonly StoredSegment[]
  readonly allowed: Map<string, readonly (Uint8Array | undefined)[]>
}

/** Terms that are given at a time to who reads segments from end to end: of all segments together. */
const TERMS_AT_ONCE = 8000

/** Filters whose documents are remembered until something changes. */
const MOST_FILTERS = 16

const LAST = '\u{10ffff}'

const SEGMENTS = `
  SELECT id, docs, ids, body_lengths AS "bodyLengths", title_lengths AS "titleLengths", live_docs AS "liveDocs",
    live_body AS "liveBody", live_title AS "liveTitle", dead
  FROM ambit.segments WHERE active = 1 ORDER BY id`

const POSTINGS = `
  SELECT segment, term, data FROM ambit.postings WHERE segment = ANY($1::bigint[]) AND term = ANY($2::text[])`

const EXPANDED = `
  SELECT term FROM ambit.postings WHERE segment = ANY($1::bigint[]) AND term >= $2 AND term < $3
  GROUP BY term ORDER BY sum(octet_length(data)) DESC, term LIMIT $4`

const SIMILAR = `
  SELECT DISTINCT term FROM ambit.postings WHERE segment IN (SELECT id FROM ambit.segments WHERE active = 1)
  AND term >= $1 AND term < $2 AND length(term) BETWEEN $3 AND $4`

/** In the order of the database, which compares bytes: the least of the bounds holds for all. */
const BOUND = `
  SELECT min(t.term) FROM unnest($1::bigint[]) AS s (id) CROSS JOIN LATERAL
    (SELECT term FROM ambit.postings WHERE segment = s.id AND term > $2 ORDER BY term LIMIT 1 OFFSET $3) t`

const TERMS = `
  SELECT term, segment, data AS postings FROM ambit.postings
  WHERE segment = ANY($1::bigint[]) AND term > $2 AND term <= $3 ORDER BY segment, term`

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

export class PostgresIndex implements IndexStore {
  readonly #sql: Sql
  readonly #lease: PostgresLease
  #known: Current | undefined

  constructor(sql: Sql, times?: LeaseTimes) {
    this.#sql = sql
    this.#lease = new PostgresLease(sql, 'index', times)
  }

  async read({ terms, prefixes = [], mostTerms = 64, filter }: IndexRequest): Promise<IndexView> {
    return this.#sql.read(async (queries) => {
      const segments = await this.#filtered(queries, filter)
      const ids = segments.map(({ id }) => id)
      const expanded = new Map<string, string[]>()
      for (const prefix of prefixes) {
        expanded.set(prefix, await queries.column<string>(EXPANDED, ids, prefix, prefix + LAST, mostTerms))
      }
      const wanted = [...new Set([...terms, ...[...expanded.values()].flat()])]
      return { segments, terms: await postingsOf(queries, ids, wanted), prefixes: expanded }
    })
  }

  async similar(term: string): Promise<string[]> {
    const [first = '', second = ''] = term
    const about = [[...term].length - 1, [...term].length + 1] as const
    const begins = second === '' || second === first ? [first] : [first, second]
    return this.#sql.read(async (queries) => {
      const found: string[] = []
      for (const begin of begins) found.push(...(await queries.column<string>(SIMILAR, begin, begin + LAST, ...about)))
      return found
    })
  }

  async #filtered(queries: Queries, filter: DocumentFilter): Promise<readonly StoredSegment[]> {
    const { list, allowed } = await this.#current(queries)
    const key = JSON.stringify(filter)
    const known = allowed.get(key) ?? (await allowedBy(queries, filter, list))
    allowed.delete(key)
    allowed.set(key, known)
    const [oldest] = allowed.keys()
    if (allowed.size > MOST_FILTERS && oldest !== undefined) allowed.delete(oldest)
    return list.map((segment, index) => {
      const bits = known[index]
      return bits ? { ...segment, allowed: bits } : segment
    })
  }

  /** As of the moment of the queries, which may be before what another call has read meanwhile. */
  async #current(queries: Queries): Promise<Current> {
    const [version = 0] = await queries.column<number>("SELECT count FROM ambit.changes WHERE what = 'library'")
    if (this.#known?.version === version) return this.#known
    const list = (await queries.all<SegmentRow>(SEGMENTS)).map(segmentOf)
    const current = { version, list, allowed: new Map() }
    if (version > (this.#known?.version ?? -1)) this.#known = current
    return current
  }

  async begin(): Promise<number> {
    return this.#sql.write('library', async (queries) => {
      await this.#lease.assertHeld(queries)
      // Whoever began these is no more: only one process writes the index.
      await drop(queries, await queries.column<number>('SELECT id FROM ambit.segments WHERE active = 0'))
      const [id = -1] = await queries.column<number>('INSERT INTO ambit.segments (active) VALUES (0) RETURNING id')
      return id
    })
  }

  async put(segment: number, terms: Iterable<readonly [term: string, postings: Uint8Array]>): Promise<void> {
    await this.#sql.write('library', async (queries) => {
      await this.#lease.assertHeld(queries)
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

  async terms(segments: readonly number[], after: string): Promise<TermPostings[]> {
    return this.#sql.read(async (queries) => {
      const skipped = Math.ceil(TERMS_AT_ONCE / Math.max(1, segments.length))
      const [bound] = await queries.column<string | null>(BOUND, segments, after, skipped)
      return queries.all<TermPostings>(TERMS, segments, after, bound ?? LAST)
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

async function postingsOf(
  queries: Queries,
  segments: readonly number[],
  terms: readonly string[],
): Promise<Map<string, (Uint8Array | undefined)[]>> {
  const found = new Map(terms.map((term) => [term, new Array<Uint8Array | undefined>(segments.length).fill(undefined)]))
  if (terms.length === 0 || segments.length === 0) return found
  const places = new Map(segments.map((id, index) => [id, index]))
  const rows = await queries.all<{ segment: number; term: string; data: Uint8Array }>(POSTINGS, segments, terms)
  for (const { segment, term, data } of rows) {
    const list = found.get(term)
    const place = places.get(segment)
    if (list && place !== undefined) list[place] = data
  }
  return found
}

async function allowedBy(
  queries: Queries,
  filter: DocumentFilter,
  segments: readonly StoredSegment[],
): Promise<readonly (Uint8Array | undefined)[]> {
  const hasPaused = await queries.get('SELECT 1 FROM ambit.collections WHERE paused = 1 LIMIT 1')
  if (isOpen(filter) && !hasPaused) return []
  const ids = new Set(await matchingIds(queries, filter))
  return segments.map((segment) => {
    const bits = new Uint8Array((segment.docs + 7) >> 3)
    for (const [index, id] of segment.ids.entries()) {
      if (ids.has(id)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
    }
    return bits
  })
}

async function drop(queries: Queries, segments: readonly number[]): Promise<void> {
  if (segments.length === 0) return
  await queries.run('DELETE FROM ambit.postings WHERE segment = ANY($1::bigint[])', segments)
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
  if (changed === 0) throw new ContextError('conflict', 'The segment that was being written is gone.')
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function segmentOf({
  ids,
  bodyLengths,
  titleLengths,
  liveDocs,
  liveBody,
  liveTitle,
  dead,
  ...row
}: SegmentRow): StoredSegment {
  return {
    ...row,
    ids: numbersOf(ids),
    bodyLengths: numbersOf(bodyLengths),
    titleLengths: numbersOf(titleLengths),
    live: { docs: liveDocs, body: liveBody, title: liveTitle },
    ...(dead && { dead }),
  }
}
