import { tryToRead } from '../../core/errors.ts'
import { setNewest } from '../../core/set-newest.ts'
import { globs } from '../../text/globs.ts'
import { fileType, foldedPath } from '../../text/paths.ts'
import type { Document, DocumentFilter } from '../document-store.ts'
import { requireCollections } from './collections.ts'
import { type Statements, selectColumn, selectRows } from './statement.ts'

/** The properties of a document that a filter reads. */
type FilteredDocument = Pick<Document, 'collection' | 'path'> & { readonly metadata: string }

/**
 * The condition of a filter. `clause` is SQL, with the aliases `d` for documents and `c` for collections. `accepts`
 * tests the conditions on globs, folded paths, types and front matter, which are not in the SQL, so that they mean the
 * same in both databases; absent if the filter has none of these.
 *
 * @throws ContextError `not-found`.
 */
export function* conditionOf(filter: DocumentFilter) {
  const { collections = [], after } = filter
  const ids = yield* requireCollections(collections)
  const clauses = [ids.length === 0 ? 'c.paused = 0' : `d.collection_id IN (${ids.map(() => '?').join(', ')})`]
  if (after !== undefined) clauses.push('d.modified_at >= ?')
  const accepts = createTest(filter)
  const values = after === undefined ? ids : [...ids, after]
  return { clause: clauses.join(' AND '), values, ...(accepts && { accepts }) }
}

type DocumentTest = (document: FilteredDocument) => boolean

function createTest(filter: DocumentFilter): DocumentTest | undefined {
  const { paths = [], pathParts = [], withoutPathParts = [], types = [], where = {} } = filter
  const tests: DocumentTest[] = []
  if (paths.length > 0) {
    // A pattern may begin with the name of the collection, because results show paths that way. A pattern without a
    // slash, such as `*.md`, matches names at any depth.
    const { matches } = globs(paths.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`)))
    tests.push(({ collection, path }) => matches(path) || matches(`${collection}/${path}`))
  }
  for (const part of pathParts) tests.push(({ collection, path }) => includesPathPart(collection, path, part))
  for (const part of withoutPathParts) tests.push(({ collection, path }) => !includesPathPart(collection, path, part))
  if (types.length > 0) tests.push(({ path }) => types.includes(fileType(path)))
  for (const [key, value] of Object.entries(where)) tests.push(({ metadata }) => hasMetadata(metadata, key, value))
  return tests.length === 0 ? undefined : (document) => tests.every((test) => test(document))
}

const FROM_DOCUMENTS = 'FROM ambit.documents d JOIN ambit.collections c ON c.id = d.collection_id'

export function* selectMatchingIds(filter: DocumentFilter): Statements<number[]> {
  const { clause, values, accepts } = yield* conditionOf(filter)
  if (!accepts) return yield* selectColumn<number>(`SELECT d.id ${FROM_DOCUMENTS} WHERE ${clause}`, ...values)
  const metadata = filter.where ? 'd.metadata' : "'' AS metadata"
  const select = `SELECT d.id, c.name AS collection, d.path, ${metadata} ${FROM_DOCUMENTS} WHERE ${clause}`
  const rows = yield* selectRows<FilteredDocument & { readonly id: number }>(select, ...values)
  return rows.filter(accepts).map(({ id }) => id)
}

/** Whether the filter accepts all documents of collections that are not paused. */
function acceptsAll({ after, where, ...rest }: DocumentFilter): boolean {
  const lists = [rest.collections, rest.paths, rest.pathParts, rest.withoutPathParts, rest.types]
  return lists.every((list) => !list?.length) && after === undefined && Object.keys(where ?? {}).length === 0
}

/** Whether a path contains `part`, which is folded, and may begin with the name of the collection, or be the name. */
function includesPathPart(name: string, path: string, part: string): boolean {
  const [folded, root] = [foldedPath(path), foldedPath(name)]
  return folded.includes(part) || part === root || (part.startsWith(`${root}/`) && `${root}/${folded}`.startsWith(part))
}

/**
 * Whether a key of the front matter has this value, or a list that contains the value. A nested key is written as `author.name`.
 */
function hasMetadata(metadata: string, key: string, wanted: string): boolean {
  const values = new Map(Object.entries<string>(Object(JSON.parse(metadata))))
  const directValue = values.get(key)
  if (directValue !== undefined) return directValue === wanted || includesValue(parseValue(directValue), wanted)
  const [first = '', ...innerKeys] = key.split('.')
  const value = innerKeys.reduce<unknown>(
    (object, name) =>
      typeof object === 'object' && object !== null && Object.hasOwn(object, name)
        ? Reflect.get(object, name)
        : undefined,
    parseValue(values.get(first) ?? '{}'),
  )
  return value !== undefined && includesValue(value, wanted)
}

function includesValue(value: unknown, requiredValue: string): boolean {
  if (Array.isArray(value)) return value.some((one) => includesValue(one, requiredValue))
  return typeof value !== 'object' && String(value).toLowerCase() === requiredValue.toLowerCase()
}

/** Lists and maps are stored as JSON, other values as text. */
function parseValue(text: string): unknown {
  if (!/^[[{]/.test(text)) return text
  return tryToRead(() => JSON.parse(text)) ?? text
}

/** Maximum number of cached filters. */
const MAX_FILTERS = 32

/** Caches, by filter, which documents the filter accepts. Valid for one version of the library. */
export class FilterCache<Value> {
  readonly #cached = new Map<string, Value | undefined>();

  /** The result of `select` for a filter; undefined if the filter accepts everything. */
  *find(filter: DocumentFilter, select: () => Statements<Value>): Statements<Value | undefined> {
    const key = JSON.stringify(filter)
    const value = this.#cached.has(key) ? this.#cached.get(key) : yield* selectFiltered(filter, select)
    setNewest(this.#cached, key, value, MAX_FILTERS)
    return value
  }
}

function* selectFiltered<Item>(filter: DocumentFilter, select: () => Statements<Item>): Statements<Item | undefined> {
  const hasPaused = (yield* selectColumn('SELECT 1 FROM ambit.collections WHERE paused = 1 LIMIT 1')).length > 0
  return acceptsAll(filter) && !hasPaused ? undefined : yield* select()
}
