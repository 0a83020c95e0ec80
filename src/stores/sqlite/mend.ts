/** Makes what a database of ours lacks, and leaves what is there as it is. */

import { type Connection, openDatabase } from './database.ts'
import { guardSqlite } from './troubles.ts'

/** A table, index or trigger, by the statement that makes it. */
interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string
}

interface ColumnInfo {
  readonly name: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

const OBJECTS = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'"

/** Tables that are made of the files: without one of them an index finds nothing, and "rebuild" reads the files again. */
const REBUILT = ['collections', 'documents', 'texts', 'segments', 'postings']

/**
 * Makes tables, indexes and triggers that are missing, and columns that may be empty or have a default. What a missing table or
 * column held is lost.
 *
 * @returns what was missing, in words: `the table path_contexts`
 * @throws ContextError `unavailable` for a file that cannot be opened or is damaged.
 */
export function mendSqlite(path: string): string[] {
  return guardSqlite(path, () => {
    const db = openDatabase(path)
    const fresh = openDatabase(':memory:')
    try {
      // A table that is made again would take with it what refers to it.
      db.pragma('foreign_keys = OFF')
      return db.transaction(() => mendObjects(db, fresh)).immediate()
    } finally {
      fresh.close()
      db.close()
    }
  })
}

function mendObjects(db: Connection, fresh: Connection): string[] {
  const wanted = fresh.prepare(OBJECTS).all() as SchemaObject[]
  const before = listObjectNames(db)
  if (REBUILT.some((name) => !before.has(name))) return []
  const made = wanted.filter(({ type }) => type === 'table').flatMap((table) => mendTable(db, fresh, table))
  const present = listObjectNames(db)
  for (const { type, name, sql } of wanted.filter((one) => !present.has(one.name))) {
    db.exec(sql)
    // Those of a table that was made anew are no loss of their own.
    if (!before.has(name) && made.length === 0) made.push(`the ${type} ${name}`)
  }
  return made
}

function listObjectNames(db: Connection): ReadonlySet<string> {
  return new Set((db.prepare(OBJECTS).all() as SchemaObject[]).map(({ name }) => name))
}

function columnsIn(db: Connection, table: string): ColumnInfo[] {
  return db.pragma(`table_info(${table})`) as ColumnInfo[]
}

function mendTable(db: Connection, fresh: Connection, { name, sql }: SchemaObject): string[] {
  const known = columnsIn(db, name).map((column) => column.name)
  if (known.length === 0) {
    db.exec(sql)
    fillTable(db, fresh, name)
    return [`the table ${name}`]
  }
  const columns = columnsIn(fresh, name)
  const missing = columns.filter((column) => !known.includes(column.name))
  if (missing.length === 0 || !missing.every(mayBeEmpty)) return []
  const common = columns.filter((column) => known.includes(column.name)).map((column) => column.name)
  db.exec(`CREATE TEMP TABLE mended AS SELECT * FROM main.${name}; DROP TABLE main.${name}; ${sql};
    INSERT INTO main.${name} (${common.join(', ')}) SELECT ${common.join(', ')} FROM mended; DROP TABLE mended`)
  return missing.map((column) => `the column ${column.name} of ${name}`)
}

function mayBeEmpty({ notnull, dflt_value: preset, pk }: ColumnInfo): boolean {
  return pk === 0 && (notnull === 0 || preset !== null)
}

/** With the rows that a new database has: counters, its identity. */
function fillTable(db: Connection, fresh: Connection, table: string): void {
  for (const row of fresh.prepare(`SELECT * FROM ${table}`).raw().all() as unknown[][]) {
    db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`).run(...row)
  }
}
