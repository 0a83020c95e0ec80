import type { DocumentFilter } from '../document-store.ts'
import { selectMatchingIds } from '../statements/filter.ts'
import { SegmentWriter } from '../statements/index-writer.ts'
import { indexWork, type LeaseTimes } from '../statements/lease.ts'
import { isOpen } from '../statements/matching.ts'
import { numbersOf } from '../statements/segment-numbers.ts'
import type { Database } from '../statements/statement.ts'
import type {
  IndexStore,
  IndexView,
  IndexWriter,
  StoredSegment,
  TermPostings,
  TermRequest,
  TermsFrom,
} from '../store.ts'
import { runInPostgres } from './runner.ts'
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

/** Filters whose documents are remembered until something changes. */
const MOST_FILTERS = 16

const LAST = '\u{10ffff}'

const SEGMENTS = `
  SELECT id, docs, ids, body_lengths AS "bodyLengths", title_lengths AS "titleLengths", live_docs AS "liveDocs",
    live_body AS "liveBody", live_title AS "liveTitle", dead
  FROM ambit.segments WHERE active = 1 ORDER BY id`

/**
 * Each looked up by itself. Asked for by two lists, a segment that is newer than the statistics of the table is taken for a small
 * one, and read whole.
 */
const POSTINGS = `
  SELECT p.segment, p.term, p.data FROM unnest($1::bigint[]) AS s (id) CROSS JOIN unnest($2::text[]) AS t (term)
  CROSS JOIN LATERAL
    (SELECT segment, term, data FROM ambit.postings WHERE segment = s.id AND term = t.term LIMIT 1) p`

const EXPANDED = `
  SELECT term FROM ambit.postings WHERE segment = ANY($1::bigint[]) AND term >= $2 AND term < $3
  GROUP BY term ORDER BY sum(octet_length(data)) DESC, term LIMIT $4`

/** Each range by itself, in the primary key. */
const LONGER = `
  SELECT p.prefix, t.term FROM unnest($1::text[], $2::text[]) AS p (prefix, before) CROSS JOIN LATERAL
    (SELECT DISTINCT term, length(term) AS letters FROM ambit.postings
      WHERE segment IN (SELECT id FROM ambit.segments WHERE active = 1) AND term > p.prefix AND term < p.before
      ORDER BY letters, term LIMIT $3) t
  ORDER BY t.letters, t.term`

const TERMS = `
  SELECT p.term, p.segment, p.data AS postings
  FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS f (segment, after, place) CROSS JOIN LATERAL
    (SELECT segment, term, data FROM ambit.postings WHERE segment = f.segment AND term > f.after ORDER BY term LIMIT $3) p
  ORDER BY f.place, p.term`

export class PostgresIndex extends SegmentWriter implements IndexStore {
  readonly #sql: Sql
  readonly #database: Database
  readonly #times: LeaseTimes | undefined
  #known: Current | undefined

  constructor(sql: Sql, database: Database, times?: LeaseTimes) {
    super(database, 'merge', times)
    this.#sql = sql
    this.#database = database
    this.#times = times
  }

  of(collection: string): IndexWriter {
    return new SegmentWriter(this.#database, indexWork(collection), this.#times)
  }

  async read({ terms, prefixes = [], mostTerms = 64, filter }: TermRequest): Promise<IndexView> {
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

  async segments(): Promise<readonly StoredSegment[]> {
    return this.#sql.read(async (queries) => (await this.#current(queries)).list)
  }

  async longer(prefixes: readonly string[], most: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const befores = prefixes.map((prefix) => prefix + LAST)
    const rows = await this.#sql.read((queries) =>
      queries.all<{ prefix: string; term: string }>(LONGER, prefixes, befores, most),
    )
    const found = Map.groupBy(rows, ({ prefix }) => prefix)
    return new Map(prefixes.map((prefix) => [prefix, (found.get(prefix) ?? []).map(({ term }) => term)]))
  }

  async #filtered(queries: Queries, filter: DocumentFilter): Promise<readonly StoredSegment[]> {
    const { list, allowed } = await this.#current(queries)
    const key = JSON.stringify(filter)
    const known = allowed.get(key) ?? (await this.#allowedBy(queries, filter, list))
    allowed.delete(key)
    allowed.set(key, known)
    const [oldest] = allowed.keys()
    if (allowed.size > MOST_FILTERS && oldest !== undefined) allowed.delete(oldest)
    return list.map((segment, index) => {
      const bits = known[index]
      return bits ? { ...segment, allowed: bits } : segment
    })
  }

  async #allowedBy(
    queries: Queries,
    filter: DocumentFilter,
    segments: readonly StoredSegment[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const hasPaused = await queries.get('SELECT 1 FROM ambit.collections WHERE paused = 1 LIMIT 1')
    if (isOpen(filter) && !hasPaused) return []
    const ids = new Set(await runInPostgres(queries, this.#sql.name, selectMatchingIds(filter)))
    return segments.map((segment) => {
      const bits = new Uint8Array((segment.docs + 7) >> 3)
      for (const [index, id] of segment.ids.entries()) {
        if (ids.has(id)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
      }
      return bits
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

  async terms(from: readonly TermsFrom[], most: number): Promise<TermPostings[]> {
    const ids = from.map(({ segment }) => segment)
    const afters = from.map(({ after }) => after)
    return this.#sql.read((queries) => queries.all<TermPostings>(TERMS, ids, afters, most))
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
