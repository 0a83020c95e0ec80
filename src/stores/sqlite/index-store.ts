import type { DocumentFilter } from '../document-store.ts'
import { selectMatchingIds } from '../statements/filter.ts'
import { SegmentWriter } from '../statements/index-writer.ts'
import { indexWork, type LeaseTimes } from '../statements/lease.ts'
import { isOpen } from '../statements/matching.ts'
import { numbersOf, type SegmentRow } from '../statements/segment-numbers.ts'
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
import { patiently } from './patience.ts'
import { runInSqlite } from './runner.ts'
import type { SqliteConnection } from './sql.ts'

/** Milliseconds. */
interface IndexTimes {
  readonly lease: LeaseTimes | undefined
  /** A step waits so long for another process that writes. */
  readonly busyMs: number
}

/** Filters whose documents are remembered until something changes. */
const MOST_FILTERS = 16

const LAST = '\u{10ffff}'

export class SqliteIndex extends SegmentWriter implements IndexStore {
  readonly #sql: SqliteConnection
  readonly #database: Database
  readonly #times: IndexTimes
  /** Of the version they were read at. */
  #segments: { readonly version: number; readonly list: readonly StoredSegment[] } | undefined
  readonly #allowed = new Map<string, readonly (Uint8Array | undefined)[]>()

  constructor(sql: SqliteConnection, database: Database, times: IndexTimes) {
    super(database, 'merge', times.lease)
    this.#sql = sql
    this.#database = database
    this.#times = times
  }

  of(collection: string): IndexWriter {
    const { lease, busyMs } = this.#times
    return patiently(new SegmentWriter(this.#database, indexWork(collection), lease), busyMs)
  }

  async read({ terms, prefixes = [], mostTerms = 64, filter }: TermRequest): Promise<IndexView> {
    return this.#sql.read(() => {
      const segments = this.#filtered(filter)
      const expanded = new Map(prefixes.map((prefix) => [prefix, this.#expanded(prefix, mostTerms)]))
      const wanted = new Set([...terms, ...[...expanded.values()].flat()])
      return {
        segments,
        terms: new Map([...wanted].map((term) => [term, this.#postingsOf(term, segments)])),
        prefixes: expanded,
      }
    })
  }

  async segments(): Promise<readonly StoredSegment[]> {
    return this.#sql.read(() => this.#current())
  }

  #postingsOf(term: string, segments: readonly StoredSegment[]): (Uint8Array | undefined)[] {
    const select = 'SELECT data FROM postings WHERE segment = ? AND term = ?'
    return segments.map(({ id }) => this.#sql.get<{ data: Uint8Array }>(select, id, term)?.data)
  }

  /** The terms with the most postings: what is cut off is rare. */
  #expanded(prefix: string, most: number): string[] {
    const select = `
      SELECT term FROM postings WHERE segment IN (SELECT id FROM segments WHERE active = 1) AND term >= ? AND term < ?
      GROUP BY term ORDER BY sum(length(data)) DESC, term LIMIT ?`
    return this.#sql.column<string>(select, prefix, prefix + LAST, most)
  }

  async longer(prefixes: readonly string[], most: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const select = `
      SELECT DISTINCT term FROM postings WHERE segment IN (SELECT id FROM segments WHERE active = 1)
      AND term > ? AND term < ? ORDER BY length(term), term LIMIT ?`
    return this.#sql.read(
      () => new Map(prefixes.map((one) => [one, this.#sql.column<string>(select, one, one + LAST, most)])),
    )
  }

  #filtered(filter: DocumentFilter): readonly StoredSegment[] {
    const segments = this.#current()
    const key = JSON.stringify(filter)
    const known = this.#allowed.get(key) ?? this.#allowedBy(filter, segments)
    this.#allowed.delete(key)
    this.#allowed.set(key, known)
    const [oldest] = this.#allowed.keys()
    if (this.#allowed.size > MOST_FILTERS && oldest !== undefined) this.#allowed.delete(oldest)
    return segments.map((segment, index) => {
      const allowed = known[index]
      return allowed ? { ...segment, allowed } : segment
    })
  }

  #current(): readonly StoredSegment[] {
    const version = this.#sql.version()
    if (this.#segments?.version === version) return this.#segments.list
    const rows = this.#sql.all<SegmentRow>('SELECT * FROM segments WHERE active = 1 ORDER BY id')
    this.#segments = { version, list: rows.map(segmentOf) }
    this.#allowed.clear()
    return this.#segments.list
  }

  #allowedBy(filter: DocumentFilter, segments: readonly StoredSegment[]): readonly (Uint8Array | undefined)[] {
    const hasPaused = this.#sql.get('SELECT 1 FROM collections WHERE paused = 1') !== undefined
    if (isOpen(filter) && !hasPaused) return []
    const ids = new Set(runInSqlite(this.#sql, selectMatchingIds(filter)))
    return segments.map((segment) => {
      const bits = new Uint8Array((segment.docs + 7) >> 3)
      for (const [index, id] of segment.ids.entries()) {
        if (ids.has(id)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
      }
      return bits
    })
  }

  async terms(from: readonly TermsFrom[], most: number): Promise<TermPostings[]> {
    const select =
      'SELECT term, segment, data AS postings FROM postings WHERE segment = ? AND term > ? ORDER BY term LIMIT ?'
    return this.#sql.read(() =>
      from.flatMap(({ segment, after }) => this.#sql.all<TermPostings>(select, segment, after, most)),
    )
  }
}

function segmentOf(row: SegmentRow): StoredSegment {
  return {
    id: row.id,
    docs: row.docs,
    ids: numbersOf(row.ids),
    bodyLengths: numbersOf(row.body_lengths),
    titleLengths: numbersOf(row.title_lengths),
    live: { docs: row.live_docs, body: row.live_body, title: row.live_title },
    ...(row.dead && { dead: row.dead }),
  }
}
