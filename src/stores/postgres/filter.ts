import type { DocumentFilter } from '../document-store.ts'
import { matcher, pathHolds, says } from '../matching.ts'
import { idOf } from './collections.ts'
import type { Queries } from './sql.ts'

/** What of a document a filter looks at. */
interface Matched {
  readonly collection: string
  readonly path: string
  readonly metadata: string
}

interface Matching {
  /** A condition over `d` and `c`, documents and collections, whose values are numbered from 1. */
  readonly clause: string
  readonly values: (string | readonly number[])[]
  /** What SQL does not say of those that meet it; absent when it says all. */
  readonly keeps?: (document: Matched) => boolean
}

/**
 * What a filter asks for. Globs, folded paths and front matter mean the same in every store, so they are looked at here and
 * not by the database. @throws ContextError `not-found`.
 */
export async function matching(queries: Queries, filter: DocumentFilter): Promise<Matching> {
  const { collections = [], after } = filter
  const clauses: string[] = []
  const values: (string | readonly number[])[] = []
  if (collections.length === 0) clauses.push('c.paused = 0')
  else {
    const ids: number[] = []
    for (const name of collections) ids.push(await idOf(queries, name))
    clauses.push(`d.collection_id = ANY($${values.push(ids)}::bigint[])`)
  }
  if (after !== undefined) clauses.push(`d.modified_at >= $${values.push(after)}`)
  const keeps = keepsOf(filter)
  return { clause: clauses.join(' AND '), values, ...(keeps && { keeps }) }
}

type Keeps = (document: Matched) => boolean

function keepsOf(filter: DocumentFilter): Keeps | undefined {
  const { paths = [], pathParts = [], withoutPathParts = [], where = {} } = filter
  const all: Keeps[] = []
  if (paths.length > 0) {
    // As hits are shown, with the name of their collection, and as it is within that.
    const matches = matcher(paths)
    all.push(({ collection, path }) => matches(path) || matches(`${collection}/${path}`))
  }
  for (const part of pathParts) all.push(({ collection, path }) => pathHolds(collection, path, part))
  for (const part of withoutPathParts) all.push(({ collection, path }) => !pathHolds(collection, path, part))
  for (const [key, value] of Object.entries(where)) all.push(({ metadata }) => says(metadata, key, value))
  return all.length === 0 ? undefined : (document) => all.every((keeps) => keeps(document))
}

const FROM = 'FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id'
const LOOKED_AT = 'c.name AS collection, d.path, d.metadata'

/** The ids of the documents that a filter lets through. */
export async function matchingIds(queries: Queries, filter: DocumentFilter): Promise<number[]> {
  const { clause, values, keeps } = await matching(queries, filter)
  if (!keeps) return queries.column<number>(`SELECT d.id ${FROM} WHERE ${clause}`, ...values)
  const select = `SELECT d.id, ${LOOKED_AT} ${FROM} WHERE ${clause}`
  const rows = await queries.all<Matched & { readonly id: number }>(select, ...values)
  return rows.filter(keeps).map(({ id }) => id)
}
