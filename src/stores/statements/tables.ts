/** The tables of `ddl.ts` as data: the SQL that creates them in each database, and the columns to export. */

import { DDL } from './ddl.ts'
import type { Dialect } from './statement.ts'

/** The type of a column's values. In an export, `bytes` are written as base64. */
export type ColumnKind = 'text' | 'number' | 'real' | 'bytes'

export interface Table {
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** The primary key: exported rows are in its order. */
  readonly key: readonly string[]
  /** The column that the database fills with ascending numbers. */
  readonly counterColumn?: string
  /** SQL condition of the exported rows, as in `statement.ts`. Default: all rows are exported. */
  readonly where?: string
  /** Maximum number of rows in memory at once. Default: 1000. */
  readonly batchSize?: number
}

/** A table, column or other part of the schema, and the SQL that creates it. */
export interface SchemaPart {
  readonly kind: 'table' | 'column' | 'constraint' | 'index' | 'trigger'
  readonly name: string
  readonly table: string
  readonly create: string
  /** For a column: whether it can be added to a table with rows. */
  readonly isOptional?: boolean
}

const KIND_OF_TYPE: Readonly<Record<string, ColumnKind>> = {
  rowid: 'number',
  counter: 'number',
  counter32: 'number',
  number: 'number',
  small: 'number',
  real: 'real',
  text: 'text',
  bytes: 'bytes',
  packed: 'bytes',
}

const CONSTRAINT_SUFFIXES: Readonly<Record<string, string>> = { PRIMARY: 'pkey', UNIQUE: 'key', FOREIGN: 'fkey' }

/** Splits the body of a table at commas outside of brackets, into columns and constraints. */
function splitItems(body: string): string[] {
  let depth = 0
  const items = ['']
  for (const character of body) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) items.push('')
    else items[items.length - 1] += character
  }
  return items.map((item) => item.trim())
}

type Declaration = (typeof DECLARATIONS)[number]

/**
 * The tables that `ddl.ts` declares. The type of a column is its word in braces; constraints have the names that PostgreSQL gives
 * them.
 */
const DECLARATIONS = [...DDL.matchAll(/^CREATE TABLE ambit\.(\w+) \(\n([\s\S]*?)\n\) \{\w+\}/gm)].map(
  ([create, name = '', body = '']) => {
    const items = splitItems(body.replaceAll(/^ *--.*$/gm, ''))
    return {
      name,
      create,
      columns: items.flatMap((text) => {
        const [, column = '', type = ''] = /^(\w+) \{(\w+)\}/.exec(text) ?? []
        return type === '' ? [] : [{ name: column, type, text }]
      }),
      constraints: items.flatMap((text) => {
        const [, kind = '', list = ''] = /^(PRIMARY|UNIQUE|FOREIGN)[A-Z ]*\(([^)]*)\)/.exec(text) ?? []
        if (kind === '') return []
        const columns = list.split(', ')
        const prefix = kind === 'PRIMARY' ? name : `${name}_${columns.join('_')}`
        return [{ name: `${prefix}_${CONSTRAINT_SUFFIXES[kind]}`, text, columns }]
      }),
    }
  },
)

/**
 * All parts of the schema, in an order in which they can be created. Constraints are left out for SQLite, which cannot add them
 * to a table.
 */
export function listSchemaParts(dialect: Dialect): SchemaPart[] {
  const constraints = dialect === 'sqlite' ? [] : DECLARATIONS.flatMap(constraintParts)
  return [
    ...DECLARATIONS.map(({ name, create }) => ({ kind: 'table' as const, name, table: name, create })),
    ...DECLARATIONS.flatMap(columnParts),
    ...constraints.toSorted(
      (one, other) => Number(referredTable(one) !== undefined) - Number(referredTable(other) !== undefined),
    ),
    ...INDEXES,
    ...TRIGGERS[dialect],
  ]
}

export function referredTable({ create }: SchemaPart): string | undefined {
  return / REFERENCES ambit\.(\w+)/.exec(create)?.[1]
}

function columnParts({ name: table, columns }: Declaration): SchemaPart[] {
  return columns.map(({ name, type, text }) => ({
    kind: 'column',
    name: `${table}.${name}`,
    table,
    create: `ALTER TABLE ambit.${table} ADD COLUMN ${text}`,
    isOptional: !/ NOT NULL(?!.* DEFAULT )| PRIMARY KEY/.test(text) && !/^(rowid|counter)/.test(type),
  }))
}

function constraintParts({ name: table, constraints }: Declaration): SchemaPart[] {
  return constraints.map(({ name, text }) => ({
    kind: 'constraint',
    name,
    table,
    create: `ALTER TABLE ambit.${table} ADD CONSTRAINT ${name} ${text}`,
  }))
}

/** Columns of compressed bytes. PostgreSQL should not compress them again. */
export const PACKED_COLUMNS = DECLARATIONS.flatMap(({ name: table, columns }) =>
  columns.filter(({ type }) => type === 'packed').map(({ name: column }) => ({ table, column })),
)

/** Triggers: they count changes of path contexts, count the documents of collections, and list objects to delete. */
const TRIGGER_TEXTS: Readonly<Record<Dialect, string>> = {
  sqlite: `
CREATE TRIGGER contexts_inserted AFTER INSERT ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END
CREATE TRIGGER contexts_updated AFTER UPDATE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END
CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN UPDATE collections SET documents = documents + 1, bytes = bytes + new.size WHERE id = new.collection_id; END
CREATE TRIGGER documents_resized AFTER UPDATE OF size ON documents BEGIN UPDATE collections SET bytes = bytes + new.size - old.size WHERE id = new.collection_id; END
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN UPDATE collections SET documents = documents - 1, bytes = bytes - old.size WHERE id = old.collection_id; END
CREATE TRIGGER bytes_deleted AFTER DELETE ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END
CREATE TRIGGER bytes_moved AFTER UPDATE OF key ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END`,
  postgres: `
CREATE TRIGGER documents_inserted AFTER INSERT ON ambit.documents REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION ambit.count_documents()
CREATE TRIGGER documents_changed AFTER UPDATE ON ambit.documents REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION ambit.count_documents()
CREATE TRIGGER documents_deleted AFTER DELETE ON ambit.documents REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION ambit.count_documents()
CREATE TRIGGER contexts_changed AFTER INSERT OR UPDATE OR DELETE ON ambit.path_contexts FOR EACH ROW EXECUTE FUNCTION ambit.count_context()
CREATE TRIGGER bytes_deleted AFTER DELETE OR UPDATE OF key ON ambit.research_bytes FOR EACH ROW WHEN (old.key IS NOT NULL) EXECUTE FUNCTION ambit.object_gone()`,
}

function partsInLines(text: string, kind: 'index' | 'trigger'): SchemaPart[] {
  return text.split('\n').flatMap((line) => {
    const create = line.replace(/;$/, '')
    const [, keyword, name = '', table = ''] =
      /^CREATE (?:UNIQUE )?(INDEX|TRIGGER) (\w+) .*?\bON (?:ambit\.)?(\w+)/.exec(create) ?? []
    return keyword?.toLowerCase() === kind ? [{ kind, name, table, create }] : []
  })
}

const INDEXES = partsInLines(DDL, 'index')

export const TRIGGERS: Readonly<Record<Dialect, readonly SchemaPart[]>> = {
  sqlite: partsInLines(TRIGGER_TEXTS.sqlite, 'trigger'),
  postgres: partsInLines(TRIGGER_TEXTS.postgres, 'trigger'),
}

/** The exported tables. `computed`: columns that are not exported, because the store computes their values. */
const EXPORTED: Readonly<
  Record<string, Pick<Table, 'where' | 'batchSize'> & { readonly computed?: readonly string[] }>
> = {
  collections: { computed: ['documents', 'bytes'] },
  documents: {},
  skipped: {},
  texts: { batchSize: 50 },
  path_contexts: {},
  segments: { computed: ['holder'], where: 'active = 1', batchSize: 4 },
  postings: { where: 'segment IN (SELECT id FROM ambit.segments WHERE active = 1)' },
  vector_models: {},
  vector_contents: {},
  vectors: {},
  vector_bytes: {},
  conversations: {},
  exchanges: { batchSize: 20 },
  research_sessions: {},
  research_bytes: { batchSize: 1 },
  research_files: {},
  research_events: { batchSize: 100 },
  tokens: {},
  research_kept: { batchSize: 20 },
}

/** The exported tables, sorted so that rows refer only to earlier tables. The store itself fills the other tables. */
export const TABLES: Readonly<Record<string, Table>> = Object.fromEntries(
  Object.entries(EXPORTED).map(([table, { computed = [], ...rest }]) => {
    const { columns = [], constraints = [] } = DECLARATIONS.find(({ name }) => name === table) ?? {}
    const counterColumn = columns.find(({ type }) => /^(rowid|counter)/.test(type))?.name
    const keyColumn = counterColumn ?? columns.find(({ text }) => text.endsWith(' PRIMARY KEY'))?.name
    const key = keyColumn ? [keyColumn] : (constraints.find(({ name }) => name.endsWith('_pkey'))?.columns ?? [])
    const exportedColumns = columns.filter(({ name }) => !computed.includes(name))
    const kinds = Object.fromEntries(exportedColumns.map(({ name, type }) => [name, KIND_OF_TYPE[type] ?? 'text']))
    return [table, { columns: kinds, key, ...(counterColumn !== undefined && { counterColumn }), ...rest }]
  }),
)

export const BATCH_SIZE = 1000
