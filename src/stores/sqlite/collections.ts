import { ContextError } from '../../core/errors.ts'
import { beingIndexed, type HeldLease, indexWork } from '../lease.ts'
import type { Collection, CollectionStore, NewCollection } from '../store.ts'
import { bury } from './dead.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly name: string
  readonly root: string
  readonly patterns: string
  readonly exclude: string
  readonly paused: number
  readonly substrings: number
  readonly created_at: string
  readonly indexed_at: string | null
  readonly documents: number
  readonly bytes: number
}

const SELECT = `
  SELECT name, root, patterns, exclude, paused, substrings, created_at, indexed_at, documents, bytes FROM collections`

const HELD = 'SELECT name, holder FROM leases WHERE expires > ? ORDER BY name'

export function sqliteCollections(sql: Sql): CollectionStore {
  const get = (name: string) => sql.get<Row>(`${SELECT} WHERE name = ?`, name)
  return {
    add: async (collection) => sql.write(() => added(sql, collection)),
    list: async () => sql.all<Row>(`${SELECT} ORDER BY name`).map((row) => collectionOf(sql, row)),
    get: async (name) => {
      const row = get(name)
      return row && collectionOf(sql, row)
    },
    indexing: async () => beingIndexed(sql.all<HeldLease>(HELD, Date.now())),
    remove: async (name) => sql.write(() => removed(sql, name)),
    rename: async (name, to) => sql.write(() => renamed(sql, name, to)),
    update: async (name, { isPaused, hasSubstrings, indexedAt }) =>
      sql.write(() => {
        const id = idOf(sql, name)
        if (isPaused !== undefined) sql.run('UPDATE collections SET paused = ? WHERE id = ?', isPaused ? 1 : 0, id)
        if (hasSubstrings !== undefined) {
          sql.run('UPDATE collections SET substrings = ? WHERE id = ?', hasSubstrings ? 1 : 0, id)
        }
        if (indexedAt !== undefined) sql.run('UPDATE collections SET indexed_at = ? WHERE id = ?', indexedAt, id)
      }),
  }
}

/** The number of a collection. @throws ContextError `not-found`, with the names that there are. */
export function idOf(sql: Sql, name: string): number {
  const row = sql.get<{ id: number }>('SELECT id FROM collections WHERE name = ?', name)
  if (row) return row.id
  const names = sql.all<{ name: string }>('SELECT name FROM collections ORDER BY name').map((each) => each.name)
  const known = names.length > 10 ? `${names.slice(0, 10).join(', ')} …` : names.join(', ')
  const hint = names.length === 0 ? 'Add one: ambit collection add NAME PATH.' : `There are: ${known}.`
  throw new ContextError('not-found', `There is no collection "${name}".`, { hint })
}

function added(sql: Sql, { name, root, patterns, exclude, hasSubstrings = false }: NewCollection): Collection {
  refuseTaken(sql, name)
  const now = new Date().toISOString()
  const insert = `
    INSERT INTO collections (name, root, patterns, exclude, substrings, created_at) VALUES (?, ?, ?, ?, ?, ?)`
  sql.run(insert, name, root, JSON.stringify(patterns), JSON.stringify(exclude), hasSubstrings ? 1 : 0, now)
  return { name, root, patterns, exclude, isPaused: false, hasSubstrings, createdAt: now, documents: 0, bytes: 0 }
}

function refuseTaken(sql: Sql, name: string): void {
  if (!sql.get('SELECT 1 FROM collections WHERE name = ?', name)) return
  const hint = 'Choose another name, or remove that collection first.'
  throw new ContextError('conflict', `There is a collection "${name}" already.`, { hint })
}

/** The segments keep its postings until they are merged: that its documents are dead is enough. */
function removed(sql: Sql, name: string): boolean {
  const row = sql.get<{ id: number }>('SELECT id FROM collections WHERE name = ?', name)
  if (!row) return false
  const ids = sql.all<{ id: number }>('SELECT id FROM documents WHERE collection_id = ?', row.id)
  bury(
    sql,
    ids.map(({ id }) => id),
  )
  sql.run('DELETE FROM path_contexts WHERE collection = ?', name)
  sql.run('DELETE FROM vector_contents WHERE hash NOT IN (SELECT hash FROM documents)')
  sql.run('DELETE FROM collections WHERE id = ?', row.id)
  endIndexing(sql, name)
  return true
}

function renamed(sql: Sql, name: string, to: string): void {
  const id = idOf(sql, name)
  if (name === to) return
  refuseTaken(sql, to)
  sql.run('UPDATE collections SET name = ? WHERE id = ?', to, id)
  endIndexing(sql, name)
  // Left over from a collection of that name, by an older program.
  sql.run('DELETE FROM path_contexts WHERE collection = ?', to)
  sql.run('UPDATE path_contexts SET collection = ? WHERE collection = ?', to, name)
}

/** Whoever indexes it knows it by its name, which may be that of another one next. */
function endIndexing(sql: Sql, name: string): void {
  sql.run('DELETE FROM leases WHERE name = ?', indexWork(name))
}

function collectionOf(sql: Sql, row: Row): Collection {
  return {
    name: row.name,
    root: row.root,
    patterns: sql.parsed(row.patterns),
    exclude: sql.parsed(row.exclude),
    isPaused: row.paused === 1,
    hasSubstrings: row.substrings === 1,
    createdAt: row.created_at,
    ...(row.indexed_at !== null && { indexedAt: row.indexed_at }),
    documents: row.documents,
    bytes: row.bytes,
  }
}
