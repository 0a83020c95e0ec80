import { ContextError } from '../../core/errors.ts'
import type { Collection, NewCollection } from '../library.ts'
import { markDeleted } from './dead.ts'
import { collectionsIn, type HeldLease, indexLease } from './lease.ts'
import { type Database, execute, queryRow, queryRows, readRow, type Statements, selectColumn } from './statement.ts'

const COLLECTIONS = `
  SELECT name, root, created_at AS "createdAt", documents, bytes, patterns, exclude, paused AS "isPaused",
    substrings AS "hasSubstrings", nullif(access, '{}') AS access, indexed_at AS "indexedAt"
  FROM ambit.collections`

const ID_OF_NAME = 'SELECT id FROM ambit.collections WHERE name = ?'
const FIRST_NAMES = 'SELECT name FROM ambit.collections ORDER BY name LIMIT 11'

const INSERT = `
  INSERT INTO ambit.collections (name, root, patterns, exclude, substrings, access, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

const UPDATE = `
  UPDATE ambit.collections SET paused = coalesce(?, paused), substrings = coalesce(?, substrings),
    indexed_at = coalesce(?, indexed_at), access = coalesce(?, access)
  WHERE id = ?`

const HELD_LEASES = 'SELECT name, holder FROM ambit.leases WHERE expires > {now} ORDER BY name'

const REMOVE_VECTORS = `
  DELETE FROM ambit.vector_contents AS v
  WHERE NOT EXISTS (SELECT * FROM ambit.documents d WHERE d.hash = v.hash)`

const storedCollection = (row: object): Collection =>
  readRow(row, { json: ['patterns', 'exclude', 'access'], flags: ['isPaused', 'hasSubstrings'] })

export function createCollectionStore(database: Database) {
  return {
    /** @throws ContextError `conflict` when the name is taken. */
    add: (collection: NewCollection) => database.write('library', () => insertCollection(collection)),
    /** All collections, by name. */
    list: () => database.read(queryRows<object>(`${COLLECTIONS} ORDER BY name`), (rows) => rows.map(storedCollection)),
    get: (name: string): Promise<Collection | undefined> =>
      database.read(queryRow<object>(`${COLLECTIONS} WHERE name = ?`, name), (row) => row && storedCollection(row)),
    /** The names of the collections that a process is indexing. */
    indexing: () => database.read(queryRows<HeldLease>(HELD_LEASES), collectionsIn),
    /** Removes a collection, its documents and its path contexts. Returns whether it existed. */
    remove: (name: string) => database.write('library', () => removeCollection(name)),
    /**
     * Renames a collection and moves its path contexts. @throws ContextError `not-found`; `conflict` if the new name is taken.
     */
    rename: (name: string, newName: string) => database.write('library', () => renameCollection(name, newName)),
    /** @throws ContextError `not-found`. */
    update: (
      name: string,
      change: Partial<Pick<Collection, 'isPaused' | 'hasSubstrings' | 'indexedAt' | 'access'>>,
    ): Promise<void> =>
      database.write('library', function* () {
        const { isPaused, hasSubstrings, indexedAt = '', access } = change
        const id = yield* requireCollection(name)
        const known = access ? JSON.stringify(access) : null
        yield* execute(UPDATE, numberOrNull(isPaused), numberOrNull(hasSubstrings), indexedAt || null, known, id)
      }),
  }
}

/** A value for the statement `UPDATE`, where NULL leaves the stored value unchanged. */
function numberOrNull(flag: boolean | undefined): number | null {
  return flag === undefined ? null : Number(flag)
}

/** The id of a collection. @throws ContextError `not-found`, with the known names. */
export function* requireCollection(name: string): Statements<number> {
  const [id] = yield* selectColumn<number>(ID_OF_NAME, name)
  if (id !== undefined) return id
  const names = yield* selectColumn<string>(FIRST_NAMES)
  const known = names.length > 10 ? `${names.slice(0, 10).join(', ')} …` : names.join(', ')
  const hint = names.length === 0 ? 'Add one: ambit collection add NAME PATH.' : `There are: ${known}.`
  throw new ContextError('not-found', `There is no collection "${name}".`, { hint })
}

/** The ids of collections, in the order of the names. @throws as `requireCollection`. */
export function* requireCollections(names: readonly string[]): Statements<number[]> {
  const ids: number[] = []
  for (const name of names) ids.push(yield* requireCollection(name))
  return ids
}

function* insertCollection(collection: NewCollection): Statements<Collection> {
  const { name, root, patterns, exclude, hasSubstrings = false, access } = collection
  yield* assertFreeName(name)
  const createdAt = new Date().toISOString()
  const lists = [JSON.stringify(patterns), JSON.stringify(exclude)]
  yield* execute(INSERT, name, root, ...lists, Number(hasSubstrings), JSON.stringify(access ?? {}), createdAt)
  const added = { name, root, patterns, exclude, isPaused: false, hasSubstrings, createdAt, documents: 0, bytes: 0 }
  return access ? { ...added, access } : added
}

function* assertFreeName(name: string): Statements<void> {
  if ((yield* selectColumn(ID_OF_NAME, name)).length === 0) return
  const hint = 'Choose another name, or remove that collection first.'
  throw new ContextError('conflict', `There is a collection "${name}" already.`, { hint })
}

/** Removes a collection. In segments, its documents are marked as deleted; their postings stay until a merge. */
function* removeCollection(name: string): Statements<boolean> {
  const [id] = yield* selectColumn<number>(ID_OF_NAME, name)
  if (id === undefined) return false
  yield* markDeleted(yield* selectColumn<number>('SELECT id FROM ambit.documents WHERE collection_id = ?', id))
  yield* execute('DELETE FROM ambit.path_contexts WHERE collection = ?', name)
  yield* execute(REMOVE_VECTORS)
  yield* execute('DELETE FROM ambit.collections WHERE id = ?', id)
  yield* endIndexing(name)
  return true
}

function* renameCollection(name: string, newName: string): Statements<void> {
  const id = yield* requireCollection(name)
  if (name === newName) return
  yield* assertFreeName(newName)
  yield* execute('UPDATE ambit.collections SET name = ? WHERE id = ?', newName, id)
  yield* endIndexing(name)
  // An older version of Ambit may have left contexts for a collection with the new name.
  yield* execute('DELETE FROM ambit.path_contexts WHERE collection = ?', newName)
  yield* execute('UPDATE ambit.path_contexts SET collection = ? WHERE collection = ?', newName, name)
}

/**
 * Ends the lease of a process that indexes the collection, so that its next write fails: after a removal or renaming,
 * another collection may get the name.
 */
function* endIndexing(name: string): Statements<void> {
  yield* execute('DELETE FROM ambit.leases WHERE name = ?', indexLease(name))
}
