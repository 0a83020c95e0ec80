/**
 * Creates missing tables, columns and other parts of the schema. Replaces only tables of the index that lack a column.
 */

import { type Dialect, execute, type Statements, type StatementText, selectColumn } from './statement.ts'
import { listSchemaParts, PACKED_COLUMNS, referredTable, type SchemaPart } from './tables.ts'

/** Versions of the tables. Raise both with each released change of `ddl.ts`. */
export const SCHEMA_VERSIONS: Readonly<Record<Dialect, number>> = { sqlite: 15, postgres: 10 }

/** Names of the existing tables, columns (`table.column`), indexes, triggers and constraints. */
const SELECT_PART_NAMES: StatementText = {
  sqlite: `
    SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
    UNION ALL SELECT name FROM sqlite_schema`,
  postgres: `
    SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relnamespace = 'ambit'::regnamespace AND c.relkind = 'r' AND NOT a.attisdropped
    UNION ALL SELECT relname::text FROM pg_class WHERE relnamespace = 'ambit'::regnamespace AND relkind IN ('r', 'i')
    UNION ALL SELECT conname::text FROM pg_constraint WHERE connamespace = 'ambit'::regnamespace
    UNION ALL SELECT t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'ambit'::regnamespace AND NOT t.tgisinternal`,
}

/** The missing parts of this version's schema: tables, and parts of tables that exist. */
export function* listMissingParts(dialect: Dialect): Statements<SchemaPart[]> {
  const present = new Set(yield* selectColumn<string>(SELECT_PART_NAMES))
  const parts = listSchemaParts(dialect).filter(({ name }) => !present.has(name))
  const tables = parts.filter(({ kind }) => kind === 'table').map(({ name }) => name)
  return parts.filter(({ kind, table }) => kind === 'table' || !tables.includes(table))
}

/**
 * Tables with rows that "ambit index" can read from the files again. If such a table, or a column of it, is missing,
 * `mendSchema` empties the whole index in PostgreSQL, and does nothing in SQLite.
 */
const FILE_TABLES = ['documents', 'texts', 'segments', 'postings']

/** Statements for a database of a version without owners of conversations, where ids were unique across all owners. */
const ADD_OWNERS: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    'CREATE TEMP TABLE former AS SELECT * FROM conversations',
    'DROP TABLE conversations',
    listSchemaParts('sqlite').find(({ name }) => name === 'conversations')?.create ?? '',
    `INSERT INTO conversations (number, id, title, place, model, created_at, updated_at)
      SELECT number, id, title, place, model, created_at, updated_at FROM former`,
    'DROP TABLE former',
  ],
  postgres: [
    'ALTER TABLE ambit.conversations DROP CONSTRAINT conversations_id_key',
    'DROP INDEX ambit.conversations_updated',
  ],
}

/** Creates the tables of a new database, or updates the tables of an older version. `version`: 0 for a new database. */
export function* upgradeSchema(dialect: Dialect, version: number): Statements<void> {
  if (version > 0) {
    const missing = yield* listMissingParts(dialect)
    const steps = missing.some(({ name }) => name === 'conversations.owner') ? ADD_OWNERS[dialect] : []
    for (const step of steps) yield* execute(step)
    // An older version kept its queue of jobs in this schema.
    if (dialect === 'postgres') yield* execute('DROP SCHEMA IF EXISTS ambit_jobs CASCADE')
  }
  yield* createParts(dialect, yield* listMissingParts(dialect))
}

/**
 * Creates tables, indexes, triggers and constraints that are missing, and columns that may be empty or have a default. The
 * content of a missing table or column is lost, and so are the rows that refer to it.
 *
 * @returns the created parts in words, such as `the table path_contexts`. In SQLite, if one of `FILE_TABLES` or `collections` is
 * missing, creates nothing: "ambit index --rebuild" reads the files again.
 */
export function* mendSchema(dialect: Dialect): Statements<string[]> {
  const missing = yield* listMissingParts(dialect)
  const needsNewTable = ({ kind, table }: SchemaPart) => kind === 'column' && FILE_TABLES.includes(table)
  const replaced = [...new Set(missing.filter(needsNewTable).map(({ table }) => table))]
  const tables = [...missing.filter(({ kind }) => kind === 'table').map(({ name }) => name), ...replaced]
  const isIndexLost = tables.some((table) => table === 'collections' || FILE_TABLES.includes(table))
  if (isIndexLost && dialect === 'sqlite') return []
  const { columns, others } = yield* createParts(dialect, missing, { replaced, isIndexLost })
  const created = [
    ...tables.map((table) => `the table ${table}`),
    ...columns.map(({ table, name }) => `the column ${name.slice(table.length + 1)} of ${table}`),
    ...(isIndexLost ? ['an index without documents, which "ambit index" fills'] : []),
  ]
  return created.length > 0 ? created : others.map(({ kind, name }) => `the ${kind} ${name}`)
}

/** Creates the missing parts that can be created. `replaced`: tables to drop and create again. */
function* createParts(
  dialect: Dialect,
  missing: readonly SchemaPart[],
  { replaced, isIndexLost }: { readonly replaced: readonly string[]; readonly isIndexLost: boolean } = NOTHING_LOST,
) {
  if (dialect === 'postgres') for (const create of FUNCTIONS) yield* execute(create)
  for (const name of replaced) yield* execute(`DROP TABLE ambit.${name} {cascade}`)
  const isRecreated = ({ kind, name }: SchemaPart) => kind === 'table' && replaced.includes(name)
  const tables = [...missing.filter(({ kind }) => kind === 'table'), ...listSchemaParts(dialect).filter(isRecreated)]
  const columns = missing.filter(
    ({ kind, table, isOptional }) => kind === 'column' && isOptional && !replaced.includes(table),
  )
  for (const { create } of [...tables, ...columns]) yield* execute(create)
  if (dialect === 'postgres') yield* setStorage([...tables, ...columns])
  if (isIndexLost) for (const step of CLEAR_INDEX) yield* execute(step)
  else if (columns.some(({ table }) => table === 'collections')) yield* execute(COUNT_DOCUMENTS)
  const others = (yield* listMissingParts(dialect)).filter(({ kind }) => kind !== 'column')
  for (const part of others) {
    const target = referredTable(part)
    if (tables.some(({ name }) => name === target)) yield* execute(`DELETE FROM ambit.${part.table}`)
    yield* execute(part.create)
  }
  for (const seed of SEEDS) yield* execute(seed)
  return { columns, others }
}

const NOTHING_LOST = { replaced: [], isIndexLost: false }

/** Stops PostgreSQL from compressing packed columns, so that it can read a part of a value. */
function* setStorage(parts: readonly SchemaPart[]): Statements<void> {
  const names = new Set(parts.map(({ name }) => name))
  for (const { table, column } of PACKED_COLUMNS) {
    if (!names.has(table) && !names.has(`${table}.${column}`)) continue
    yield* execute(`ALTER TABLE ambit.${table} ALTER ${column} SET STORAGE EXTERNAL`)
  }
}

/** Empties the index. The last statement makes other processes discard the index that they have in memory. */
const CLEAR_INDEX = [
  ...['postings', 'segments', 'texts', 'skipped', 'documents'].map((table) => `DELETE FROM ambit.${table}`),
  'UPDATE ambit.collections SET documents = 0, bytes = 0, indexed_at = NULL',
  'UPDATE ambit.changes SET count = count + 1',
]

const COUNT_DOCUMENTS = `
  UPDATE ambit.collections SET
    documents = (SELECT count(*) FROM ambit.documents d WHERE d.collection_id = collections.id),
    bytes = (SELECT coalesce(sum(size), 0) FROM ambit.documents d WHERE d.collection_id = collections.id)`

const SEEDS = [
  "INSERT INTO ambit.changes (what, count) VALUES ('contexts', 0), ('library', 0) ON CONFLICT DO NOTHING",
  'INSERT INTO ambit.identity (id) SELECT {randomId} WHERE NOT EXISTS (SELECT * FROM ambit.identity)',
]

/**
 * Functions of the triggers of PostgreSQL. Documents are counted once for each statement, because every update of a count
 * rewrites the row.
 */
const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION ambit.count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      UPDATE ambit.collections c SET documents = c.documents - g.documents, bytes = c.bytes - g.bytes
      FROM (SELECT collection_id, count(*) AS documents, sum(size)::bigint AS bytes FROM gone GROUP BY collection_id) g
      WHERE c.id = g.collection_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      UPDATE ambit.collections c SET documents = c.documents + m.documents, bytes = c.bytes + m.bytes
      FROM (SELECT collection_id, count(*) AS documents, sum(size)::bigint AS bytes FROM made GROUP BY collection_id) m
      WHERE c.id = m.collection_id;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE FUNCTION ambit.count_context() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ambit.changes SET count = count + 1 WHERE what = 'contexts';
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE FUNCTION ambit.object_gone() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ambit.research_gone (key) VALUES (old.key) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
]
