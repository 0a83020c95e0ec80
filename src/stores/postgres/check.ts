/** Looks whether what is stored agrees with itself. The server itself looks after its pages: `pg_amcheck`, data checksums. */

import { ContextError } from '../../core/errors.ts'
import { brokenSegment, type SegmentRow } from '../statements/segment-numbers.ts'
import { POSTGRES_MIGRATIONS } from './schema.ts'
import type { Queries, Sql } from './sql.ts'

/** What is wrong, a sentence each, as of one moment. A failure of the database is told as well, not thrown. */
export async function checkPostgres(sql: Sql): Promise<string[]> {
  try {
    return await sql.read(async (queries) => {
      const missing = await listMissingNames(queries)
      // Without them nothing else can be counted.
      if (missing.length > 0)
        return [`It lacks tables or columns of this version: ${missing.slice(0, MOST).join(', ')}.`]
      return [...(await lonelyRows(queries)), ...(await brokenIndex(queries))]
    })
  } catch (error) {
    if (error instanceof ContextError) return [error.message]
    throw error
  }
}

/** Names that are told of what is missing. */
const MOST = 10

/** `table.column`, indexes and triggers; from the catalog, which anybody may read. */
const NAMES = `
  SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
  WHERE c.relnamespace = 'ambit'::regnamespace AND c.relkind = 'r' AND NOT a.attisdropped
  UNION ALL SELECT relname::text FROM pg_class WHERE relnamespace = 'ambit'::regnamespace AND relkind IN ('r', 'i')
  UNION ALL SELECT t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'ambit'::regnamespace AND NOT t.tgisinternal`

/** Tables, columns, indexes and triggers that the steps of the schema make, and that are not there. */
async function listMissingNames(queries: Queries): Promise<string[]> {
  const there = new Set(await queries.column<string>(NAMES))
  const isMissing = (name: string) => !there.has(name)
  const tables = [...SCHEMA.matchAll(TABLE)].map(([, table = '', body = '']) => ({
    table,
    columns: [...body.matchAll(COLUMN)].map(([, column]) => `${table}.${column}`),
  }))
  const added = [...SCHEMA.matchAll(ADDED)].map(([, table, column]) => `${table}.${column}`)
  const others = [...SCHEMA.matchAll(OTHER)].map(([, name = '']) => name)
  const lost = tables.filter(({ table }) => isMissing(table)).map(({ table }) => table)
  const isOfLost = (column: string) => lost.includes(column.split('.')[0] ?? '')
  const columns = [...tables.flatMap(({ columns: some }) => some), ...added].filter((one) => !isOfLost(one))
  return [...lost, ...columns.filter(isMissing), ...new Set(others.filter(isMissing))]
}

const SCHEMA = POSTGRES_MIGRATIONS.join('\n')
const TABLE = /CREATE TABLE ambit\.(\w+) \(\n([\s\S]*?)\n {2}\);/g
const COLUMN = /^ {4}([a-z]\w*) (?:bigint|integer|text|bytea|double) ?/gm
const ADDED = /ALTER TABLE ambit\.(\w+) ADD COLUMN (\w+)/g
const OTHER = /CREATE (?:UNIQUE INDEX|INDEX|TRIGGER) (\w+)/g

const LONELY = [
  [
    'Documents without text',
    'SELECT count(*) FROM ambit.documents d WHERE NOT EXISTS (SELECT 1 FROM ambit.texts t WHERE t.document_id = d.id)',
  ],
  [
    'Collections with a wrong count of documents',
    `SELECT count(*) FROM ambit.collections c WHERE
      documents <> (SELECT count(*) FROM ambit.documents WHERE collection_id = c.id) OR
      bytes <> (SELECT coalesce(sum(size), 0) FROM ambit.documents WHERE collection_id = c.id)`,
  ],
] as const

async function lonelyRows(queries: Queries): Promise<string[]> {
  const problems: string[] = []
  for (const [what, select] of LONELY) {
    const [count = 0] = await queries.column<number>(select)
    if (count > 0) problems.push(`${what}: ${count}.`)
  }
  return problems
}

const SEGMENTS = `
  SELECT id, docs, ids, body_lengths, title_lengths, live_docs, live_body, live_title, dead
  FROM ambit.segments WHERE active = 1 ORDER BY id`

const STRAY = `
  WITH RECURSIVE known (segment) AS (
    SELECT min(segment) FROM ambit.postings
    UNION ALL
    SELECT (SELECT min(p.segment) FROM ambit.postings p WHERE p.segment > k.segment) FROM known k WHERE k.segment IS NOT NULL
  )
  SELECT segment FROM known WHERE segment IS NOT NULL AND segment NOT IN (SELECT id FROM ambit.segments) LIMIT 10`

/** Every document is in one segment, alive, and nothing else is. */
async function brokenIndex(queries: Queries): Promise<string[]> {
  const missing = new Set(await queries.column<number>('SELECT id FROM ambit.documents'))
  const problems = (await queries.all<SegmentRow>(SEGMENTS)).flatMap((row) => brokenSegment(row, missing))
  if (missing.size > 0)
    problems.push(`Documents that no search finds, because they are in no segment: ${missing.size}.`)
  const stray = await queries.column<number>(STRAY)
  return [...problems, ...stray.map((id) => `There are postings of segment ${id}, which does not exist.`)]
}
