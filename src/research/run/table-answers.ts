/** What is computed on a table: a count, a sum, a mean, the most or the least, by SQL, where a question plainly asks for it. */

import Database from 'better-sqlite3'
import { termsIn } from '../routing/terms.ts'
import type { NamedValue } from './evidence.ts'

/** A table of a file: its columns, and its rows as text. */
export interface EvidenceTable {
  /** What it is cited by: its first row. */
  readonly ref: string
  /** The name of its file, its headings. */
  readonly about: string
  readonly name: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface ComputedAnswer {
  readonly text: string
  readonly sql: string
  readonly ref: string
  readonly groups?: readonly NamedValue[]
}

type Aggregate = 'COUNT' | 'SUM' | 'AVG' | 'MAX' | 'MIN'

const ASKED: readonly (readonly [Aggregate, RegExp, string])[] = [
  ['AVG', /\b(?:average|mean)\b/i, 'average'],
  ['SUM', /\b(?:total|sum|altogether|combined)\b/i, 'sum'],
  ['MAX', /\b(?:highest|largest|biggest|greatest|maximum)\b/i, 'highest value'],
  ['MIN', /\b(?:lowest|smallest|minimum)\b/i, 'lowest value'],
  ['COUNT', /\b(?:how many|number of)\b/i, 'number'],
]

/** Rows of the smallest table that is computed on, and of the largest. */
const FEWEST = 2
const MOST = 200_000

/** The answer of the first table that has what the question names; undefined where it asks for nothing of the kind. */
export function computeAnswer(question: string, tables: readonly EvidenceTable[]): ComputedAnswer | undefined {
  const asked = ASKED.find(([, pattern]) => pattern.test(question))
  if (!asked) return undefined
  for (const table of tables) {
    if (table.rows.length < FEWEST || table.rows.length > MOST) continue
    const plan = planQuery(question, table, asked[0])
    if (plan && hasOwnNames(table)) return runPlan(plan, table, asked)
  }
  return undefined
}

/** Columns of a table that is computed on: SQLite takes 2,000. */
const MOST_COLUMNS = 1000

/** Whether each column can be a column of SQL: names that differ in case alone are one to it. */
function hasOwnNames({ header }: EvidenceTable): boolean {
  const names = new Set(columnNames(header).map((name) => name.toLowerCase()))
  return names.size === header.length && header.length <= MOST_COLUMNS
}

function columnNames(header: readonly string[]): string[] {
  return header.map((one, at) => identifier(one || `column ${at + 1}`))
}

interface QueryPlan {
  readonly aggregate: Aggregate
  /** Places of columns. */
  readonly column: number | undefined
  readonly group: number | undefined
  readonly filters: readonly (readonly [column: number, value: string])[]
}

function planQuery(question: string, table: EvidenceTable, aggregate: Aggregate): QueryPlan | undefined {
  const group = groupOf(question, table)
  const filters = filtersOf(question, table).filter(([at]) => at !== group)
  if (aggregate === 'COUNT') {
    const [, counted = ''] = /\b(?:how many|number of)\s+([\p{L}\p{M}-]+)/iu.exec(question) ?? []
    // What a column holds as a number is looked up, and not counted.
    const own = columnCounted(counted, table)
    if (own === undefined && table.header.some((name, at) => isNumeric(table, at) && sharesTerm(counted, name))) {
      return undefined
    }
    const isRows = termsIn(counted).some((term) => ['row', 'record', 'entri', 'line'].includes(term))
    const isNamed = isRows || own !== undefined || sharesTerm(counted, `${table.about} ${table.header[0] ?? ''}`)
    const isPlain = isRows || filters.length > 0 || group !== undefined
    return isNamed && isPlain ? { aggregate, column: undefined, group, filters } : undefined
  }
  const words = new Set(termsIn(question))
  const column = table.header.findIndex((name, at) => {
    const terms = termsIn(name)
    return at !== group && terms.length > 0 && terms.every((term) => words.has(term)) && isNumeric(table, at)
  })
  return column < 0 ? undefined : { aggregate, column, group, filters }
}

/** The column of names that is called what is counted: `Major`, of which a row is one each. */
function columnCounted(counted: string, table: EvidenceTable): number | undefined {
  const wanted = termsIn(counted).join(' ')
  const at = table.header.findIndex((name, place) => termsIn(name).join(' ') === wanted && !isNumeric(table, place))
  const values = table.rows.map((row) => row[at] ?? '')
  return wanted !== '' && at >= 0 && new Set(values).size === values.length ? at : undefined
}

function sharesTerm(one: string, other: string): boolean {
  const terms = new Set(termsIn(other))
  return termsIn(one).some((term) => terms.has(term))
}

/** The column that stands behind `per`, `by` or `each`. */
function groupOf(question: string, { header }: EvidenceTable): number | undefined {
  const [, named = ''] = /\b(?:per|by|(?:for|in|of) (?:each|every))\s+([\p{L}\p{M}-]+)/iu.exec(question) ?? []
  const terms = termsIn(named)
  const at = header.findIndex((name) => terms.length > 0 && terms.every((term) => termsIn(name).includes(term)))
  return at < 0 ? undefined : at
}

/** Cells of text that the question names, one of each column: the longest. */
function filtersOf(question: string, table: EvidenceTable): (readonly [number, string])[] {
  const asked = ` ${question.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  return table.header.flatMap((name, at) => {
    if (isNumeric(table, at)) return []
    const named = [...new Set(table.rows.map((row) => row[at] ?? ''))].filter((value) => {
      const plain = value
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
      return (
        plain.length > 1 && plain !== name.toLowerCase() && termsIn(plain).length > 0 && asked.includes(` ${plain} `)
      )
    })
    const best = named.sort((a, b) => b.length - a.length)[0]
    return best === undefined ? [] : [[at, best] as const]
  })
}

/** Share of the cells with something in them that are numbers. */
const NUMERIC = 0.9

function isNumeric({ rows }: EvidenceTable, at: number): boolean {
  const filled = rows.flatMap((row) => (row[at] ? [row[at]] : []))
  return filled.length > 0 && filled.filter((cell) => numberIn(cell) !== null).length >= filled.length * NUMERIC
}

/** `1,200`, `12.5 %`, `€ 9`; null for what is not a number. */
function numberIn(cell: string): number | null {
  const [, number] = /^[€$£]?\s*(-?\d+(?:,\d{3})*(?:\.\d+)?)\s*(?:[%€$£]|[A-Z]{3})?$/.exec(cell.trim()) ?? []
  return number === undefined ? null : Number(number.replaceAll(',', ''))
}

function runPlan(
  { aggregate, column, group, filters }: QueryPlan,
  table: EvidenceTable,
  [, , called]: (typeof ASKED)[number],
): ComputedAnswer {
  const [names, name] = [columnNames(table.header), identifier(table.name)]
  const value = column === undefined ? 'COUNT(*)' : `${aggregate}(${names[column]})`
  const where = filters.map(([at, text]) => `${names[at]} = '${text.replaceAll("'", "''")}'`).join(' AND ')
  const by = group === undefined ? '' : (names[group] ?? '')
  const sql = [
    `SELECT ${by === '' ? '' : `${by}, `}${value} FROM ${name}`,
    ...(where === '' ? [] : [`WHERE ${where}`]),
    ...(by === '' ? [] : [`GROUP BY ${by} ORDER BY ${by}`]),
  ].join(' ')
  const answers = queryTable(table, { names, name, sql })
  const what = column === undefined ? 'rows' : (table.header[column] ?? '')
  const whose = filters.map(([at, text]) => `${table.header[at]} is ${text}`).join(' and ')
  const told = answers.map((row) => row.map(shortNumber).join(': ')).join('; ')
  const text = `The ${called} of ${what}${whose === '' ? '' : ` where ${whose}`}${by === '' ? '' : ` by ${table.header[group ?? 0]}`}: ${told}`
  const groups = answers.flatMap(([name, found]): NamedValue[] =>
    by !== '' && typeof found === 'number' ? [{ name: String(name), value: found }] : [],
  )
  return { text, sql, ref: table.ref, ...(groups.length > 1 && { groups }) }
}

function shortNumber(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : String(value ?? 'none')
}

function identifier(name: string): string {
  return `"${name.replace(/["`\0\s]+/g, ' ').trim()}"`
}

/** Groups that are told. */
const MOST_GROUPS = 50

/** The rows of a query over the table, in a database of its own in memory. */
function queryTable(
  table: EvidenceTable,
  { names, name, sql }: { readonly names: readonly string[]; readonly name: string; readonly sql: string },
): unknown[][] {
  const database = new Database(':memory:')
  try {
    const isNumber = table.header.map((_, at) => isNumeric(table, at))
    database.exec(`CREATE TABLE ${name} (${names.join(', ')})`)
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${names.map(() => '?').join(', ')})`)
    const fill = database.transaction(() => {
      for (const row of table.rows) {
        insert.run(table.header.map((_, at) => (isNumber[at] ? numberIn(row[at] ?? '') : (row[at] ?? ''))))
      }
    })
    fill()
    return database.prepare(sql).raw().all().slice(0, MOST_GROUPS) as unknown[][]
  } finally {
    database.close()
  }
}
