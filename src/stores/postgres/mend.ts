/** Makes what the schema of a database lacks, and leaves what is there as it is. */

import { POSTGRES_MIGRATIONS } from './schema.ts'
import type { Queries, Scripts, Sql } from './sql.ts'

/** Where the schema of the database stands while a new one is made beside it. */
const BEFORE = 'ambit_before'

/** Tables that are made of the files: without one of them the index is emptied, and "ambit index" reads the files again. */
const OF_FILES = ['documents', 'texts', 'segments', 'postings']

/** A part of a schema, and the statement that makes it in the schema `ambit`. */
interface SchemaPart {
  readonly kind: 'column' | 'function' | 'constraint' | 'index' | 'trigger'
  /** Of a function ''. */
  readonly table: string
  readonly name: string
  readonly make: string
  /** Of a column: whether rows that are there can have it. */
  readonly may: boolean
  /** Of a constraint: the table that it refers to. */
  readonly refers: string | null
}

/** Constraints come before what may need them: primary keys first, references last. */
const PARTS = `
  SELECT kind, "table", name, make, may, refers FROM (
    SELECT 1 AS place, 'column' AS kind, c.relname::text AS "table", a.attname::text AS name,
      format('ALTER TABLE ambit.%I ADD COLUMN %I %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN l.collname = 'C' THEN ' COLLATE "C"' ELSE '' END,
        coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''),
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END) ||
      CASE WHEN a.attstorage = 'e'
        THEN format('; ALTER TABLE ambit.%I ALTER %I SET STORAGE EXTERNAL', c.relname, a.attname) ELSE '' END AS make,
      NOT a.attnotnull OR a.atthasdef AS may, NULL AS refers
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r'
    UNION ALL
    SELECT 2, 'function', '', p.proname::text, pg_get_functiondef(p.oid), true, NULL
    FROM pg_proc p WHERE p.pronamespace = $1::regnamespace
    UNION ALL
    SELECT CASE k.contype WHEN 'p' THEN 3 WHEN 'f' THEN 5 ELSE 4 END, 'constraint', c.relname::text, k.conname::text,
      format('ALTER TABLE ambit.%I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)), true,
      f.relname::text
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class f ON f.oid = k.confrelid
    WHERE c.relnamespace = $1::regnamespace AND k.contype IN ('p', 'u', 'c', 'f')
    UNION ALL
    SELECT 6, 'index', c.relname::text, x.relname::text, pg_get_indexdef(i.indexrelid), true, NULL
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r'
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
    UNION ALL
    SELECT 7, 'trigger', c.relname::text, t.tgname::text, pg_get_triggerdef(t.oid), true, NULL
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal
  ) AS parts ORDER BY place, "table", name`

function listSchemaParts(queries: Queries, schema: string): Promise<SchemaPart[]> {
  return queries.all<SchemaPart>(PARTS, schema)
}

function isSamePart(one: SchemaPart, other: SchemaPart): boolean {
  return one.kind === other.kind && one.table === other.table && one.name === other.name
}

function subtractParts(wanted: readonly SchemaPart[], present: readonly SchemaPart[]): SchemaPart[] {
  return wanted.filter((part) => !present.some((other) => isSamePart(part, other)))
}

/**
 * Makes tables, functions, constraints, indexes and triggers that are missing, and columns that may be empty or have a default.
 * What a missing table or column held is lost, and so is what referred to it.
 *
 * @returns what was missing, in words: `the table path_contexts`. Nothing where the tables are of another version.
 * @throws ContextError as a migration does.
 */
export function mendSchema(sql: Sql): Promise<string[]> {
  return sql.migration(async (queries) => {
    const [version] = await queries.column<number>('SELECT version FROM ambit.schema')
    if (version !== POSTGRES_MIGRATIONS.length) return []
    await queries.script(`ALTER SCHEMA ambit RENAME TO ${BEFORE}; CREATE SCHEMA ambit`)
    for (const step of POSTGRES_MIGRATIONS) await queries.script(step)
    const wanted = await listSchemaParts(queries, 'ambit')
    const columns = subtractParts(wanted, await listSchemaParts(queries, BEFORE)).filter(
      ({ kind }) => kind === 'column',
    )
    const tables = await listLostTables(queries, columns)
    await takeNewTables(queries, tables)
    const added = columns.filter(({ table, may }) => may && !tables.includes(table))
    for (const { make } of added) await queries.script(make)
    const isIndexLost = tables.some((table) => table === 'collections' || OF_FILES.includes(table))
    if (isIndexLost) await queries.script(EMPTY_INDEX)
    else if (added.some(({ table }) => table === 'collections')) await queries.run(COUNT_DOCUMENTS)
    const others = await makeOthers(queries, wanted, tables)
    const made = [
      ...tables.map((table) => `the table ${table}`),
      ...added.map(({ table, name }) => `the column ${name} of ${table}`),
      ...(isIndexLost ? ['an index without documents, which "ambit index" fills'] : []),
    ]
    return made.length > 0 ? made : others.map(({ kind, name }) => `the ${kind} ${name}`)
  })
}

/** Tables that are not there, and those of the files that lack a column: what it held was the index. */
async function listLostTables(queries: Queries, missing: readonly SchemaPart[]): Promise<string[]> {
  const there = await queries.column<string>(
    `SELECT relname::text FROM pg_class WHERE relnamespace = '${BEFORE}'::regnamespace AND relkind = 'r'`,
  )
  const isLost = ({ table }: SchemaPart) => !there.includes(table) || OF_FILES.includes(table)
  return [...new Set(missing.filter(isLost).map(({ table }) => table))]
}

/** The tables of the new schema in place of those that are lost, with the rows that a new database has: counters, its identity. */
async function takeNewTables(queries: Scripts, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await queries.script(
      `DROP TABLE IF EXISTS ${BEFORE}.${table} CASCADE; ALTER TABLE ambit.${table} SET SCHEMA ${BEFORE}`,
    )
  await queries.script(`DROP SCHEMA ambit CASCADE; ALTER SCHEMA ${BEFORE} RENAME TO ambit`)
}

/** Others that keep the database in memory see that it has changed. */
const EMPTY_INDEX = `
  TRUNCATE ambit.postings, ambit.segments, ambit.texts, ambit.skipped, ambit.documents;
  UPDATE ambit.collections SET documents = 0, bytes = 0, indexed_at = NULL;
  UPDATE ambit.changes SET count = count + 1`

const COUNT_DOCUMENTS = `
  UPDATE ambit.collections c SET
    documents = (SELECT count(*) FROM ambit.documents WHERE collection_id = c.id),
    bytes = (SELECT coalesce(sum(size), 0)::bigint FROM ambit.documents WHERE collection_id = c.id)`

/** What is not a table or a column. Rows that refer to a table that was lost refer to nothing, and go. */
async function makeOthers(
  queries: Scripts,
  wanted: readonly SchemaPart[],
  lost: readonly string[],
): Promise<SchemaPart[]> {
  const missing = subtractParts(wanted, await listSchemaParts(queries, 'ambit')).filter(({ kind }) => kind !== 'column')
  for (const { table, refers, make } of missing) {
    if (refers !== null && lost.includes(refers)) await queries.run(`DELETE FROM ambit.${table}`)
    await queries.script(make)
  }
  return missing
}
