/** Checks whether the content of a database is consistent. */

import { ContextError } from '../../core/errors.ts'
import { listMissingParts } from './mend.ts'
import { brokenSegment, type SegmentRow } from './segment-numbers.ts'
import { type Database, type Dialect, type Statements, selectColumn, selectRows } from './statement.ts'

/** Maximum number of listed problems of one kind; a damaged file may have thousands. */
const MAX_PROBLEMS = 10

/** Returns a sentence for each problem, as of one moment. A failure of the database counts as a problem, and is not thrown. */
export async function checkDatabase(database: Database): Promise<string[]> {
  try {
    return await database.readTogether(() => findProblems(database.dialect))
  } catch (error) {
    if (error instanceof ContextError) return [error.message]
    throw error
  }
}

function* findProblems(dialect: Dialect): Statements<string[]> {
  // If a page is damaged or a table is missing, further checks would report false problems.
  const damage = (yield* selectColumn<string>(CHECK_PAGES)).filter((line) => line !== 'ok')
  if (damage.length > 0) return damage.map((line) => `The file is damaged: ${line.replace(/\s+/g, ' ').trim()}.`)
  const isData = ({ kind }: { readonly kind: string }) => kind !== 'constraint'
  const missing = (yield* listMissingParts(dialect)).filter(isData).map(({ name }) => name)
  if (missing.length > 0)
    return [`It lacks tables or columns of this version: ${missing.slice(0, MAX_PROBLEMS).join(', ')}.`]
  return [...(yield* countInconsistentRows()), ...(yield* checkIndex())]
}

/** Checks the pages of a SQLite file. PostgreSQL has its own tools for this: `pg_amcheck`, and data checksums. */
const CHECK_PAGES = { sqlite: `PRAGMA quick_check(${MAX_PROBLEMS})`, postgres: "SELECT 'ok'" }

const INCONSISTENT_ROWS = {
  'Documents of no collection': `
    SELECT count(*) FROM ambit.documents d WHERE NOT EXISTS (SELECT * FROM ambit.collections c WHERE c.id = d.collection_id)`,
  'Documents without text': `
    SELECT count(*) FROM ambit.documents d WHERE NOT EXISTS (SELECT * FROM ambit.texts t WHERE t.document_id = d.id)`,
  'Texts of no document': `
    SELECT count(*) FROM ambit.texts t WHERE NOT EXISTS (SELECT * FROM ambit.documents d WHERE d.id = t.document_id)`,
  'Collections with a wrong count of documents': `
    SELECT count(*) FROM ambit.collections c
    WHERE documents <> (SELECT count(*) FROM ambit.documents WHERE collection_id = c.id)
      OR bytes <> (SELECT coalesce(sum(size), 0) FROM ambit.documents WHERE collection_id = c.id)`,
}

function* countInconsistentRows(): Statements<string[]> {
  const problems: string[] = []
  for (const [what, select] of Object.entries(INCONSISTENT_ROWS)) {
    const [count = 0] = yield* selectColumn<number>(select)
    if (count > 0) problems.push(`${what}: ${count}.`)
  }
  return problems
}

/**
 * Selects ids of segments that have postings, but do not exist. The recursion finds the next id by the primary key,
 * without reading all postings.
 */
const STRAY_SEGMENTS = `
  WITH RECURSIVE known (segment) AS (
    SELECT min(segment) FROM ambit.postings
    UNION ALL
    SELECT (SELECT min(p.segment) FROM ambit.postings p WHERE p.segment > k.segment) FROM known k WHERE k.segment IS NOT NULL
  )
  SELECT segment FROM known WHERE segment IS NOT NULL AND segment NOT IN (SELECT id FROM ambit.segments) LIMIT ${MAX_PROBLEMS}`

/** Checks that every document is in exactly one segment. */
function* checkIndex(): Statements<string[]> {
  const missing = new Set(yield* selectColumn<number>('SELECT id FROM ambit.documents'))
  const segments = yield* selectRows<SegmentRow>('SELECT * FROM ambit.segments WHERE active = 1 ORDER BY id')
  const problems = segments.flatMap((row) => brokenSegment(row, missing))
  if (missing.size > 0)
    problems.push(`Documents that no search finds, because they are in no segment: ${missing.size}.`)
  const straySegments = yield* selectColumn<number>(STRAY_SEGMENTS)
  return [...problems, ...straySegments.map((id) => `There are postings of segment ${id}, which does not exist.`)]
}
