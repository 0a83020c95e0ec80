import { ContextError } from '../../core/errors.ts'
import { beingIndexed, type HeldLease, indexWork } from '../lease.ts'
import type { Collection, CollectionStore, NewCollection } from '../store.ts'
import { bury } from './dead.ts'
import { NOW } from './lease.ts'
import { parsed, type Queries, type Sql } from './sql.ts'

interface Row extends Omit<Collection, 'patterns' | 'exclude' | 'indexedAt'> {
  readonly patterns: string
  readonly exclude: string
  readonly indexedAt: string | null
}

const SELECT = `
  SELECT name, root, patterns, exclude, paused <> 0 AS "isPaused", substrings <> 0 AS "hasSubstrings",
    created_at AS "createdAt", indexed_at AS "indexedAt", documents, bytes
  FROM ambit.collections`

const UPDATE = `
  UPDATE ambit.collections SET paused = coalesce($2, paused), substrings = coalesce($3, substrings),
    indexed_at = coalesce($4, indexed_at)
  WHERE id = $1`

const HELD = `SELECT name, holder FROM ambit.leases WHERE expires > ${NOW} ORDER BY name`

export function postgresCollections(sql: Sql): CollectionStore {
  return {
    add: (collection) => sql.write('library', (queries) => added(queries, collection)),
    list: async () => (await sql.all<Row>(`${SELECT} ORDER BY name`)).map((row) => collectionOf(sql.name, row)),
    get: async (name) => {
      const row = await sql.get<Row>(`${SELECT} WHERE name = $1`, name)
      return row && collectionOf(sql.name, row)
    },
    indexing: async () => beingIndexed(await sql.all<HeldLease>(HELD)),
    remove: (name) => sql.write('library', (queries) => removed(queries, name)),
    rename: (name, to) => sql.write('library', (queries) => renamed(queries, name, to)),
    update: (name, { isPaused, hasSubstrings, indexedAt = null }) =>
      sql.write('library', async (queries) => {
        const id = await idOf(queries, name)
        await queries.run(UPDATE, id, numberOf(isPaused), numberOf(hasSubstrings), indexedAt)
      }),
  }
}

function numberOf(isSo: boolean | undefined): number | null {
  return isSo === undefined ? null : Number(isSo)
}

/** The number of a collection. @throws ContextError `not-found`, with the names that there are. */
export async function idOf(queries: Queries, name: string): Promise<number> {
  const [id] = await queries.column<number>('SELECT id FROM ambit.collections WHERE name = $1', name)
  if (id !== undefined) return id
  const names = await queries.column<string>('SELECT name FROM ambit.collections ORDER BY name LIMIT 11')
  const known = names.length > 10 ? `${names.slice(0, 10).join(', ')} …` : names.join(', ')
  const hint = names.length === 0 ? 'Add one: ambit collection add NAME PATH.' : `There are: ${known}.`
  throw new ContextError('not-found', `There is no collection "${name}".`, { hint })
}

const INSERT = `
  INSERT INTO ambit.collections (name, root, patterns, exclude, substrings, created_at) VALUES ($1, $2, $3, $4, $5, $6)`

async function added(queries: Queries, collection: NewCollection): Promise<Collection> {
  const { name, root, patterns, exclude, hasSubstrings = false } = collection
  await refuseTaken(queries, name)
  const now = new Date().toISOString()
  await queries.run(INSERT, name, root, JSON.stringify(patterns), JSON.stringify(exclude), Number(hasSubstrings), now)
  return { name, root, patterns, exclude, isPaused: false, hasSubstrings, createdAt: now, documents: 0, bytes: 0 }
}

async function refuseTaken(queries: Queries, name: string): Promise<void> {
  if (!(await queries.get('SELECT 1 FROM ambit.collections WHERE name = $1', name))) return
  const hint = 'Choose another name, or remove that collection first.'
  throw new ContextError('conflict', `There is a collection "${name}" already.`, { hint })
}

/** The segments keep its postings until they are merged: that its documents are dead is enough. */
async function removed(queries: Queries, name: string): Promise<boolean> {
  const [id] = await queries.column<number>('SELECT id FROM ambit.collections WHERE name = $1', name)
  if (id === undefined) return false
  await bury(queries, await queries.column<number>('SELECT id FROM ambit.documents WHERE collection_id = $1', id))
  await queries.run('DELETE FROM ambit.path_contexts WHERE collection = $1', name)
  await queries.run(
    'DELETE FROM ambit.vector_contents v WHERE NOT EXISTS (SELECT 1 FROM ambit.documents d WHERE d.hash = v.hash)',
  )
  await queries.run('DELETE FROM ambit.collections WHERE id = $1', id)
  await endIndexing(queries, name)
  return true
}

async function renamed(queries: Queries, name: string, to: string): Promise<void> {
  const id = await idOf(queries, name)
  if (name === to) return
  await refuseTaken(queries, to)
  await queries.run('UPDATE ambit.collections SET name = $1 WHERE id = $2', to, id)
  await endIndexing(queries, name)
  await queries.run('UPDATE ambit.path_contexts SET collection = $1 WHERE collection = $2', to, name)
}

/** Whoever indexes it knows it by its name, which may be that of another one next. */
async function endIndexing(queries: Queries, name: string): Promise<void> {
  await queries.run('DELETE FROM ambit.leases WHERE name = $1', indexWork(name))
}

function collectionOf(store: string, { patterns, exclude, indexedAt, ...row }: Row): Collection {
  return {
    ...row,
    patterns: parsed(store, patterns),
    exclude: parsed(store, exclude),
    ...(indexedAt !== null && { indexedAt }),
  }
}
