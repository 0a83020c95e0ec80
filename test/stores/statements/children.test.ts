import { describe, expect, it } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { openPool } from '../../../src/stores/postgres/database.ts'
import { Listener } from '../../../src/stores/postgres/listener.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { PostgresDatabase } from '../../../src/stores/postgres/runner.ts'
import { openDatabase } from '../../../src/stores/sqlite/database.ts'
import { SqliteConnection } from '../../../src/stores/sqlite/sql.ts'
import { openSqlite, SqliteDatabase } from '../../../src/stores/sqlite/sqlite.ts'
import { createDocumentStore } from '../../../src/stores/statements/documents.ts'
import type { Database, Statements } from '../../../src/stores/statements/statement.ts'
import type { Store } from '../../../src/stores/store.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** Ten directories with a hundred documents each, some of them deeper, and three documents beside them. */
const PATHS = [
  ...Array.from({ length: 1000 }, (_, at) => `${at % 10}/${at % 20 === 0 ? `deep/${at % 3}/` : ''}${at}.md`),
  'a.md',
  'b.md',
  'c.md',
]

/** A database that counts the rows which it gives to the process. */
function countRows(database: Database) {
  let rows = 0
  const count = (answer: unknown) => {
    if (answer !== undefined) rows += Array.isArray(answer) ? answer.length : 1
  }
  function* counting<Result>(statements: Statements<Result>): Statements<Result> {
    let step = statements.next()
    while (!step.done) {
      const answer: unknown = yield step.value
      count(answer)
      step = statements.next(answer)
    }
    return step.value
  }
  const counted: Pick<Database, 'read' | 'readTogether'> = {
    read: (query, map) =>
      database.read(query, (answer) => {
        count(answer)
        return map ? map(answer) : (answer as never)
      }),
    readTogether: (statements) => database.readTogether(() => counting(statements())),
  }
  return { database: Object.assign(Object.create(database), counted) as Database, rows: () => rows }
}

/** Rows that the listing of each place reads. */
async function rowsOfListings(store: Store, database: Database, places: readonly string[]) {
  const { database: counted, rows } = countRows(database)
  const documents = await libraryOver({ ...store, documents: createDocumentStore(counted) }).documents()
  const listed: (readonly [place: string, entries: number, rows: number])[] = []
  for (const place of places) {
    const before = rows()
    const answer = await documents.list(place)
    listed.push([place, answer.directories.length + answer.documents.length, rows() - before])
  }
  return listed
}

const PLACES = ['docs', 'docs/0', 'docs/0/deep', 'docs/1', 'docs/a.md']

/** One row for each entry, and for the number of the collection; the document of the place itself, where it is one. */
const EXPECTED = [
  ['docs', 13, 14],
  ['docs/0', 51, 52],
  ['docs/0/deep', 3, 4],
  ['docs/1', 100, 101],
  ['docs/a.md', 1, 2],
]

/** Fills a store, and reads its listings from another connection. */
async function reads(store: Store, database: Database): Promise<void> {
  await store.collections.add(COLLECTION)
  await stored(
    store,
    'docs',
    PATHS.map((path) => ({ path })),
  )
  expect(await rowsOfListings(store, database, PLACES)).toEqual(EXPECTED)
  await store.close()
}

describe('a listing reads a row for each child, and none of what is below', () => {
  it('in SQLite', async () => {
    using files = tree({})
    const path = files.at('ambit.db')
    const store = openSqlite(path)
    const sql = new SqliteConnection(openDatabase(path), path)
    await reads(store, new SqliteDatabase(sql, 0))
    sql.close()
  })

  withPostgres('in PostgreSQL', () => {
    const database = ownDatabases()
    it('too', async () => {
      const url = await database()
      const store = await openPostgres(url)
      const sql = await openPool(url)
      await reads(store, new PostgresDatabase(sql, await Listener.at(url, sql)))
      await sql.close()
    })
  })
})
