import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { TABLES } from '../../src/stores/statements/tables.ts'

/** What a store makes by itself, or what means nothing elsewhere. */
const NOT_MOVED =
  'leases changes schema sqlite_sequence research_gone identity sign_ins keys answer_words index_jobs'.split(' ')
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  collections: ['documents', 'bytes'],
  segments: ['holder'],
}

const KINDS: Readonly<Record<string, string>> = {
  INTEGER: 'number',
  TEXT: 'text',
  BLOB: 'bytes',
  REAL: 'real',
}

type Column = readonly [table: string, column: string, kind: string]

/** The columns that are told of a store, as they are in its own words. */
function told(columns: readonly Column[]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const tables: Record<string, Record<string, string>> = {}
  for (const [table, column, kind] of columns) {
    if (NOT_MOVED.includes(table) || COMPUTED[table]?.includes(column)) continue
    tables[table] = { ...tables[table], [column]: KINDS[kind] ?? kind }
  }
  return tables
}

const EXPECTED = Object.fromEntries(Object.entries(TABLES).map(([name, { columns }]) => [name, columns]))

describe('the tables that are moved', () => {
  it('are all that SQLite keeps', () => {
    const db = openDatabase(':memory:')
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
    const columns = tables.flatMap((table) => {
      const rows = db.pragma(`table_info(${table})`) as { readonly name: string; readonly type: string }[]
      return rows.map(({ name, type }) => [table, name, type] as const)
    })
    db.close()
    expect(told(columns)).toEqual(EXPECTED)
  })
})
