import { fileType } from '../../text/paths.ts'
import type { DocumentFilter } from '../document-store.ts'
import { requireCollections } from './collections.ts'
import { matcher, pathHolds, says } from './matching.ts'
import { type Statements, type StatementValue, selectColumn, selectRows } from './statement.ts'

/** The properties of a document that a filter reads. */
interface FilteredDocument {
  readonly collection: string
  readonly path: string
  readonly metadata: string
}

interface DocumentCondition {
  /** A condition over `d` and `c`, documents and collections. */
  readonly clause: string
  readonly values: readonly StatementValue[]
  /** The conditions that SQL does not express; absent when there are none. */
  readonly accepts?: (document: FilteredDocument) => boolean
}

/**
 * The condition of a filter. Globs, folded paths and front matter are evaluated here and not by the database, so that they mean
 * the same in every store. @throws ContextError `not-found`.
 */
export function* conditionOf(filter: DocumentFilter): Statements<DocumentCondition> {
  const { collections = [], after } = filter
  const ids = yield* requireCollections(collections)
  const clauses = [ids.length === 0 ? 'c.paused = 0' : `d.collection_id IN (${ids.map(() => '?').join(', ')})`]
  if (after !== undefined) clauses.push('d.modified_at >= ?')
  const accepts = documentTest(filter)
  return {
    clause: clauses.join(' AND '),
    values: [...ids, ...(after === undefined ? [] : [after])],
    ...(accepts && { accepts }),
  }
}

type DocumentTest = (document: FilteredDocument) => boolean

function documentTest(filter: DocumentFilter): DocumentTest | undefined {
  const { paths = [], pathParts = [], withoutPathParts = [], types = [], where = {} } = filter
  const tests: DocumentTest[] = []
  if (paths.length > 0) {
    // With the name of the collection, as hits show it, or without.
    const matches = matcher(paths)
    tests.push(({ collection, path }) => matches(path) || matches(`${collection}/${path}`))
  }
  for (const part of pathParts) tests.push(({ collection, path }) => pathHolds(collection, path, part))
  for (const part of withoutPathParts) tests.push(({ collection, path }) => !pathHolds(collection, path, part))
  if (types.length > 0) tests.push(({ path }) => types.includes(fileType(path)))
  for (const [key, value] of Object.entries(where)) tests.push(({ metadata }) => says(metadata, key, value))
  return tests.length === 0 ? undefined : (document) => tests.every((test) => test(document))
}

const FROM = 'FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id'

/** The ids of the documents that a filter accepts. */
export function* selectMatchingIds(filter: DocumentFilter): Statements<number[]> {
  const { clause, values, accepts } = yield* conditionOf(filter)
  if (!accepts) return yield* selectColumn<number>(`SELECT d.id ${FROM} WHERE ${clause}`, ...values)
  const metadata = filter.where ? 'd.metadata' : "'' AS metadata"
  const select = `SELECT d.id, c.name AS collection, d.path, ${metadata} ${FROM} WHERE ${clause}`
  const rows = yield* selectRows<FilteredDocument & { readonly id: number }>(select, ...values)
  return rows.filter(accepts).map(({ id }) => id)
}
