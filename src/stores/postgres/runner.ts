/** A PostgreSQL database that runs the statements of stores. */

import { batchesWithin } from '../../core/batches.ts'
import type { Watch } from '../change-notifier.ts'
import type {
  Database,
  LongWork,
  Part,
  QueryStatement,
  RowsToWrite,
  RunStatements,
  Statement,
  Statements,
  StatementText,
  StatementValue,
} from '../statements/statement.ts'
import { type ColumnKind, TABLES } from '../statements/tables.ts'
import { guardPostgresSync } from './errors.ts'
import { CHANNEL, type Listener } from './listener.ts'
import type { Queries, Sql } from './sql.ts'
import { packBytes } from './values.ts'

export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly name: string
  readonly #sql: Sql
  readonly #listener: Listener

  constructor(sql: Sql, listener: Listener) {
    this.name = sql.name
    this.#sql = sql
    this.#listener = listener
  }

  async read<Answer, Result>(query: QueryStatement<Answer>, map?: (answer: Answer) => Result): Promise<Result> {
    const answer = await this.#sql.ask(query)
    return (map ? guardPostgresSync(this.name, () => map(answer as Answer)) : answer) as Result
  }

  readTogether<Result>(statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.read((queries) => runInPostgres(queries, this.name, statements()))
  }

  write<Result>(part: Part, statements: () => Statements<Result>): Promise<Result> {
    return this.#sql.write(part, (queries) => runInPostgres(queries, this.name, statements()))
  }

  writeOne(text: StatementText, ...values: readonly StatementValue[]): Promise<number> {
    return this.#sql.ask({ kind: 'change', text, values }) as Promise<number>
  }

  readAtLength(work: (run: RunStatements) => Promise<void>): Promise<void> {
    return this.#sql.readOnce((queries) => work((statements) => runInPostgres(queries, this.name, statements)))
  }

  writeAtLength<Item>(input: AsyncIterable<Item>, work: LongWork<Item>): Promise<void> {
    return this.#sql.writeOnce('library', async (queries) => {
      await queries.run(LOCK_TABLES)
      await work((statements) => runInPostgres(queries, this.name, statements), input)
    })
  }

  /** Does nothing: the server frees space by itself. */
  async compact(): Promise<void> {}

  watch(name: string): Watch {
    return this.#listener.watch(name)
  }

  wake(name: string): void {
    this.#listener.wake(name)
  }
}

/** Makes other writes wait. Meanwhile, reads see the old state. */
const LOCK_TABLES = `
  LOCK TABLE ${Object.keys(TABLES)
    .map((name) => `ambit.${name}`)
    .join(', ')} IN SHARE ROW EXCLUSIVE MODE`

/** Runs statements to their end, and returns their result. `name`: the name of the database, for messages. */
export async function runInPostgres<Result>(
  queries: Queries,
  name: string,
  statements: Statements<Result>,
): Promise<Result> {
  const next = (answer?: unknown) => guardPostgresSync(name, () => statements.next(answer))
  let step = next()
  while (!step.done) step = next(await runStatement(queries, step.value))
  return step.value
}

function runStatement(queries: Queries, statement: Statement): Promise<unknown> {
  switch (statement.kind) {
    case 'notify':
      return queries.run(`SELECT pg_notify('${CHANNEL}', $1)`, statement.name)
    case 'counter':
      return queries.run(SET_SEQUENCE, `ambit.${statement.table}`, statement.column, statement.last)
    case 'version':
      return queries.column<number>(READ_VERSION).then(([version = 0]) => version)
    case 'insert':
    case 'update':
      return writeToPostgres(queries, statement)
    default:
      return queries.ask(statement)
  }
}

const READ_VERSION = "SELECT count FROM ambit.changes WHERE what = 'library'"
const SET_SEQUENCE = 'SELECT setval(pg_get_serial_sequence($1, $2), $3)'

/** Maximum rows of one statement, and maximum bytes. */
const GROUP = { count: 4000, size: 8_000_000 } as const

/** Writes rows in groups. Each group is one statement; its values are lists, one for each column. */
async function writeToPostgres(queries: Queries, { kind, table, columns, rows }: RowsToWrite): Promise<void> {
  for (const group of batchesWithin(rows, { ...GROUP, sizeOf: rowBytes })) {
    const { select, values } = selectRowsOf(table, columns, group)
    await queries.run(
      kind === 'insert'
        ? `INSERT INTO ambit.${table} (${columns.join(', ')}) ${select}`
        : updateFrom(table, columns, select),
      ...values,
    )
  }
}

function updateFrom(table: string, [key = '', ...others]: readonly string[], select: string): string {
  const set = others.map((column) => `${column} = s.${column}`).join(', ')
  return `UPDATE ambit.${table} t SET ${set} FROM (${select}) s WHERE t.${key} = s.${key}`
}

/** The SQL type of a column, by its kind. */
const TYPES: Readonly<Record<ColumnKind, string>> = { text: 'text', number: 'bigint', real: 'float8', bytes: 'bytea' }

/** A SELECT that returns these rows, and its values. All bytes of a column are one value, which the server splits. */
function selectRowsOf(table: string, columns: readonly string[], rows: RowsToWrite['rows']) {
  const values: StatementValue[] = []
  const bind = (value: StatementValue, type: string) => `$${values.push(value)}::${type}`
  const boundColumns = columns.map((column, index) => {
    const cells = rows.map((row) => row[index] ?? null)
    const kind = TABLES[table]?.columns[column] ?? 'text'
    if (kind !== 'bytes') return { item: `a.${column}`, names: [column], lists: [bind(cells, `${TYPES[kind]}[]`)] }
    const { data, offsets, lengths } = packBytes(cells.map((cell) => (cell instanceof Uint8Array ? cell : null)))
    const [start, length] = [`${column}_start`, `${column}_length`]
    return {
      item: `substring(${bind(data, 'bytea')} FROM a.${start} FOR a.${length}) AS ${column}`,
      names: [start, length],
      lists: [bind(offsets, 'int[]'), bind(lengths, 'int[]')],
    }
  })
  const [items, names, lists] = [
    boundColumns.map(({ item }) => item),
    boundColumns.flatMap((one) => one.names),
    boundColumns.flatMap((one) => one.lists),
  ].map((list) => list.join(', '))
  return { select: `SELECT ${items} FROM unnest(${lists}) AS a (${names})`, values }
}

function rowBytes(row: RowsToWrite['rows'][number]): number {
  return row.reduce((sum: number, cell) => sum + (cell === null || typeof cell === 'number' ? 8 : cell.length), 0)
}
