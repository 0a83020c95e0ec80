/** A process that runs one SQL statement over the tables that it receives, and ends: a thread could not stop SQLite. */

import Database from 'better-sqlite3'
import type { FileTable, QueryAnswer, QueryRequest } from './tables.ts'

/** Maximum bytes that SQLite may use, and maximum rows of an answer. */
const MAX_HEAP_BYTES = 256 * 1024 * 1024
const MAX_ROWS = 200

function answerQuery({ tables, sql }: QueryRequest): QueryAnswer {
  const db = new Database(':memory:')
  try {
    db.pragma(`hard_heap_limit = ${MAX_HEAP_BYTES}`)
    for (const table of tables) addTable(db, table)
    const statement = db.prepare(sql)
    // ATTACH counts as read-only for SQLite, but opens files.
    if (!statement.reader || !statement.readonly || !/^\s*(?:select|with|values)\b/i.test(sql))
      return { error: 'Only one SELECT can be run.' }
    const columns = statement.columns().map(({ name }) => name)
    const rows: unknown[][] = []
    for (const row of statement.raw().iterate()) {
      rows.push(row as unknown[])
      if (rows.length > MAX_ROWS) break
    }
    return { columns, rows: rows.slice(0, MAX_ROWS), isCut: rows.length > MAX_ROWS }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  } finally {
    db.close()
  }
}

function addTable(db: Database.Database, { name, columns, rows }: FileTable): void {
  const quote = (word: string) => `"${word.replaceAll('"', '""')}"`
  db.exec(`CREATE TABLE ${quote(name)} (${columns.map(quote).join(', ')})`)
  const insert = db.prepare(`INSERT INTO ${quote(name)} VALUES (${columns.map(() => '?').join(', ')})`)
  db.transaction(() => {
    for (const row of rows) insert.run(...row)
  })()
}

process.once('message', (request: QueryRequest) => {
  process.send?.(answerQuery(request), undefined, {}, () => process.disconnect())
})
