/** Rows of any table, written by the names in `tables.ts`. */

import type { RowsToWrite } from '../statements/statement.ts'
import { type Kind, TABLES } from '../statements/tables.ts'
import type { Queries } from './sql.ts'
import { groupRows, packBytes, type Value } from './values.ts'

/** Sends a list of values for each column. */
export async function writeToPostgres(queries: Queries, { kind, table, columns, rows }: RowsToWrite): Promise<void> {
  for (const group of groupRows(rows, sizeOfRow)) {
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

const TYPES: Readonly<Record<Kind, string>> = { text: 'text', number: 'bigint', real: 'float8', bytes: 'bytea' }

/** A SELECT of these rows. Bytes are one value that the server cuts. */
function selectRowsOf(table: string, columns: readonly string[], rows: RowsToWrite['rows']) {
  const values: Value[] = []
  const bind = (value: Value, type: string) => `$${values.push(value)}::${type}`
  const bound = columns.map((column, at) => {
    const cells = rows.map((row) => row[at] ?? null)
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
    bound.map(({ item }) => item),
    bound.flatMap((one) => one.names),
    bound.flatMap((one) => one.lists),
  ].map((list) => list.join(', '))
  return { select: `SELECT ${items} FROM unnest(${lists}) AS a (${names})`, values }
}

function sizeOfRow(row: RowsToWrite['rows'][number]): number {
  return row.reduce((all: number, cell) => all + (cell === null || typeof cell === 'number' ? 8 : cell.length), 0)
}
