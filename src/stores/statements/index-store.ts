import { withBits } from '../../core/bits.ts'
import type { DocumentFilter } from '../document-store.ts'
import type { IndexView, StoredSegment, TermCursor, TermPostings, TermRequest } from '../library.ts'
import { FilterCache, selectMatchingIds } from './filter.ts'
import { createIndexWriter } from './index-writer.ts'
import { indexLease, type LeaseTimes } from './lease.ts'
import { numbersOf, type SegmentRow } from './segment-numbers.ts'
import { type Database, readLibraryVersion, type Statements, selectColumn, selectRows } from './statement.ts'

type AcceptedDocuments = readonly Uint8Array[]

/**
 * All segments (parts of the index) as of one version of the library, and a cache of the documents that filters accept.
 */
interface CurrentSegments {
  readonly version: number
  readonly list: readonly StoredSegment[]
  readonly allowed: FilterCache<AcceptedDocuments>
}

/** A character that sorts after all others, so that all terms with a prefix are less than `prefix + LAST`. */
const LAST = '\u{10ffff}'

const SEGMENTS = 'SELECT * FROM ambit.segments WHERE active = 1 ORDER BY id'

const POSTINGS = {
  sqlite: `
    SELECT p.segment, p.term, p.data FROM json_each(?) AS s CROSS JOIN json_each(?) AS t
    CROSS JOIN postings p ON p.segment = s.value AND p.term = t.value`,
  // Looks up each pair separately: for two lists, the planner would assume that a segment newer than its statistics is
  // small, and read all of it.
  postgres: `
    SELECT p.segment, p.term, p.data FROM unnest(?::bigint[]) AS s (id) CROSS JOIN unnest(?::text[]) AS t (term)
    CROSS JOIN LATERAL
      (SELECT segment, term, data FROM ambit.postings WHERE segment = s.id AND term = t.term LIMIT 1) p`,
}

/** The terms with a prefix, the most frequent first, so that the limit cuts off rare terms. */
const PREFIX_TERMS = `
  SELECT term FROM ambit.postings WHERE segment {anyOf number} AND term >= ? AND term < ?
  GROUP BY term ORDER BY sum(length(data)) DESC, term LIMIT ?`

const IS_ACTIVE = 'segment IN (SELECT id FROM ambit.segments WHERE active = 1)'

const LONGER_TERMS = `
  SELECT term FROM ambit.postings WHERE ${IS_ACTIVE} AND term > ? AND term < ?
  GROUP BY term ORDER BY length(term), term LIMIT ?`

/** Maximum number of terms that `longer` caches: about 10 MB. */
const MAX_CACHED_TERMS = 200_000

const TERMS =
  'SELECT term, segment, data AS postings FROM ambit.postings WHERE segment = ? AND term > ? ORDER BY term LIMIT ?'

/** The index in a database. Its writer merges the segments of all collections; `of` returns the writer of one collection. */
export function createIndexStore(database: Database, times?: LeaseTimes) {
  let current: CurrentSegments | undefined
  const longerTerms = { version: -1, count: 0, terms: new Map<string, readonly string[]>() }
  /** The segments as of this transaction. `current` may be newer, because a concurrent call may have set it. */
  const selectCurrent = function* (): Statements<CurrentSegments> {
    const version = yield* readLibraryVersion()
    if (current?.version === version) return current
    const list = (yield* selectRows<SegmentRow>(SEGMENTS)).map(segmentOf)
    const segments = { version, list, allowed: new FilterCache<AcceptedDocuments>() }
    if (version > (current?.version ?? -1)) current = segments
    return segments
  }
  return {
    ...createIndexWriter(database, 'merge', times),
    /** The writer of a collection. Processes may write different collections at the same time. */
    of: (collection: string) => createIndexWriter(database, indexLease(collection), times),
    read: ({ terms, prefixes = [], maximumTerms = 64, filter }: TermRequest): Promise<IndexView> =>
      database.readTogether(function* () {
        const { list, allowed } = yield* selectCurrent()
        const accepted = yield* allowed.find(filter, () => selectAllowed(filter, list))
        const segments = accepted
          ? list.map((segment, at) => ({ ...segment, allowed: accepted[at] ?? new Uint8Array() }))
          : list
        const ids = segments.map(({ id }) => id)
        const expanded = new Map<string, string[]>()
        for (const prefix of prefixes) {
          expanded.set(prefix, yield* selectColumn<string>(PREFIX_TERMS, ids, prefix, prefix + LAST, maximumTerms))
        }
        const allTerms = [...new Set([...terms, ...[...expanded.values()].flat()])]
        return { segments, terms: yield* selectPostings(ids, allTerms), prefixes: expanded }
      }),
    /** All segments without a filter, for a merge. */
    segments: async () => (await database.readTogether(selectCurrent)).list,
    /**
     * For each prefix, the `limit` shortest terms that are longer than the prefix; terms of equal length are ordered by code
     * point. Some of the terms may be in deleted documents only.
     */
    longer: (prefixes: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly string[]>> =>
      database.readTogether(function* () {
        const version = yield* readLibraryVersion()
        if (version !== longerTerms.version) Object.assign(longerTerms, { version, count: 0, terms: new Map() })
        const termsByPrefix = new Map<string, readonly string[]>()
        for (const prefix of prefixes) {
          const key = `${limit} ${prefix}`
          const cached = longerTerms.terms.get(key)
          const terms = cached ?? (yield* selectColumn<string>(LONGER_TERMS, prefix, prefix + LAST, limit))
          termsByPrefix.set(prefix, terms)
          if (cached || longerTerms.version !== version || longerTerms.count + terms.length >= MAX_CACHED_TERMS)
            continue
          longerTerms.terms.set(key, terms)
          longerTerms.count += terms.length + 1
        }
        return termsByPrefix
      }),
    /**
     * For each cursor, the postings of the next `limit` terms of its segment, in the order of the terms' bytes; fewer at the end
     * of the segment.
     */
    terms: (cursors: readonly TermCursor[], limit: number): Promise<TermPostings[]> =>
      database.readTogether(function* () {
        const rows: TermPostings[] = []
        for (const { segment, after } of cursors) {
          for (const row of yield* selectRows<TermPostings>(TERMS, segment, after, limit)) rows.push(row)
        }
        return rows
      }),
  }
}

function* selectAllowed(filter: DocumentFilter, segments: readonly StoredSegment[]): Statements<AcceptedDocuments> {
  const accepted = new Set<number | undefined>(yield* selectMatchingIds(filter))
  return segments.map(({ ids }) => {
    const indexes = [...ids.keys()].filter((index) => accepted.has(ids[index]))
    return withBits(null, indexes, ids.length)
  })
}

type PostingsRow = { readonly segment: number; readonly term: string; readonly data: Uint8Array }

/** For each term, its postings in each segment, in the order of `segments`. */
function* selectPostings(
  segments: readonly number[],
  terms: readonly string[],
): Statements<Map<string, (Uint8Array | undefined)[]>> {
  const rows = terms.length === 0 ? [] : yield* selectRows<PostingsRow>(POSTINGS, segments, terms)
  const byTerm = Map.groupBy(rows, ({ term }) => term)
  const postings = terms.map((term) => {
    const bySegment = new Map(byTerm.get(term)?.map(({ segment, data }) => [segment, data]))
    return [term, segments.map((id) => bySegment.get(id))] as const
  })
  return new Map(postings)
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
