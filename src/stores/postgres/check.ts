/** Looks whether what is stored agrees with itself. The server itself looks after its pages: `pg_amcheck`, data checksums. */

import { ContextError } from '../../core/errors.ts'
import { brokenSegment, type SegmentRow } from '../segment-numbers.ts'
import type { Queries, Sql } from './sql.ts'

/** What is wrong, a sentence each, as of one moment. A failure of the database is told as well, not thrown. */
export async function checkPostgres(sql: Sql): Promise<string[]> {
  try {
    return await sql.read(async (queries) => [...(await lonelyRows(queries)), ...(await brokenIndex(queries))])
  } catch (error) {
    if (error instanceof ContextError) return [error.message]
    throw error
  }
}

const LONELY = [
  [
    'Documents without text',
    'SELECT count(*) FROM ambit.documents d WHERE NOT EXISTS (SELECT 1 FROM ambit.texts t WHERE t.document_id = d.id)',
  ],
  [
    'Collections that count their documents wrongly',
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
  if (missing.size > 0) problems.push(`Documents in no segment, which no search finds: ${missing.size}.`)
  const stray = await queries.column<number>(STRAY)
  return [...problems, ...stray.map((id) => `There are postings of segment ${id}, which is none.`)]
}
