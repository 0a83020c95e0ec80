/** Looks whether what is stored agrees with itself. */

import { ContextError } from '../../core/errors.ts'
import { brokenSegment, type SegmentRow } from '../statements/segment-numbers.ts'
import { openDatabase } from './database.ts'
import type { SqliteConnection } from './sql.ts'

/** Problems of one kind that are told; a damaged file may have thousands. */
const MOST = 10

/** What is wrong, a sentence each, as of one moment. A failure of the database is told as well, not thrown. */
export function checkSqlite(sql: SqliteConnection): string[] {
  try {
    return sql.read(() => {
      const pages = brokenPages(sql)
      // Counts of broken pages mean nothing.
      if (pages.length > 0) return pages
      const strange = strangeSchema(sql)
      return strange.length > 0 ? strange : [...lonelyRows(sql), ...brokenIndex(sql)]
    })
  } catch (error) {
    if (error instanceof ContextError) return [error.message]
    throw error
  }
}

function brokenPages(sql: SqliteConnection): string[] {
  const found = sql.column<string>(`PRAGMA quick_check(${MOST})`).filter((line) => line !== 'ok')
  return found.map((line) => `The file is damaged: ${line.replace(/\s+/g, ' ').trim()}.`)
}

const SCHEMA =
  "SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name"

/** Tables, indexes and triggers that are not as this version makes them. */
function strangeSchema(sql: SqliteConnection): string[] {
  const fresh = openDatabase(':memory:')
  const expected = new Set(fresh.prepare(SCHEMA).pluck().all() as string[])
  fresh.close()
  const found = new Set(sql.column<string>(SCHEMA))
  const name = (one: string) => one.slice(0, one.indexOf(':'))
  const there = new Set([...found].map(name))
  const missing = [...expected].map(name).filter((one) => !there.has(one))
  const names = new Set([...expected.symmetricDifference(found)].map(name))
  if (names.size === 0) return []
  const lost = missing.length > 0 ? ` Missing from it: ${missing.slice(0, MOST).join(', ')}.` : ''
  return [`Its tables are not those of this version: ${[...names].slice(0, MOST).join(', ')}.${lost}`]
}

const LONELY = [
  [
    'Documents of no collection',
    'SELECT count(*) FROM documents WHERE collection_id NOT IN (SELECT id FROM collections)',
  ],
  ['Documents without text', 'SELECT count(*) FROM documents WHERE id NOT IN (SELECT document_id FROM texts)'],
  ['Texts of no document', 'SELECT count(*) FROM texts WHERE document_id NOT IN (SELECT id FROM documents)'],
  [
    'Collections with a wrong count of documents',
    `SELECT count(*) FROM collections c WHERE
      documents <> (SELECT count(*) FROM documents WHERE collection_id = c.id) OR
      bytes <> (SELECT coalesce(sum(size), 0) FROM documents WHERE collection_id = c.id)`,
  ],
] as const

function lonelyRows(sql: SqliteConnection): string[] {
  return LONELY.flatMap(([what, select]) => {
    const [count = 0] = sql.column<number>(select)
    return count === 0 ? [] : [`${what}: ${count}.`]
  })
}

/** Every document is in one segment, alive, and nothing else is. */
function brokenIndex(sql: SqliteConnection): string[] {
  const missing = new Set(sql.column<number>('SELECT id FROM documents'))
  const problems = sql
    .all<SegmentRow>('SELECT * FROM segments WHERE active = 1')
    .flatMap((row) => brokenSegment(row, missing))
  if (missing.size > 0)
    problems.push(`Documents that no search finds, because they are in no segment: ${missing.size}.`)
  return [...problems, ...strayPostings(sql)]
}

function strayPostings(sql: SqliteConnection): string[] {
  const known = new Set(sql.column<number>('SELECT id FROM segments'))
  const problems: string[] = []
  // From one segment to the next by the primary key: the postings themselves are not read.
  const next = 'SELECT min(segment) FROM postings WHERE segment > ?'
  for (let [id] = sql.column<number | null>(next, -1); typeof id === 'number'; [id] = sql.column(next, id)) {
    if (!known.has(id)) problems.push(`There are postings of segment ${id}, which does not exist.`)
  }
  return problems.slice(0, MOST)
}
