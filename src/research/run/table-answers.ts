/** What is computed on a table: a count, a sum, a mean, the most or the least, by SQL, where a question plainly asks for it. */

import Database from 'better-sqlite3'
import type { NamedValue } from './evidence.ts'
import { type EvidenceTable, isNumeric, spellingsOf } from './table-columns.ts'
import type { CellFilter } from './table-filters.ts'
import { readAskedNumber, readCellNumber } from './table-numbers.ts'
import type { QueryPlan } from './table-plan.ts'
import { AGGREGATES, planQuery } from './table-question.ts'

export interface ComputedAnswer {
  readonly text: string
  readonly sql: string
  readonly ref: string
  readonly groups?: readonly NamedValue[]
  /** Whether it accounts for each word of the question. */
  readonly isWhole: boolean
}

/** Rows of the smallest table that is computed on, and of the largest. */
const FEWEST = 2
const MOST = 200_000

/** The answer of the one table that accounts for most of the question; undefined where it asks for nothing of the kind. */
export function computeAnswer(question: string, tables: readonly EvidenceTable[]): ComputedAnswer | undefined {
  const asked = AGGREGATES.find(([, pattern]) => pattern.test(question))
  if (!asked) return undefined
  const [aggregate, , called] = asked
  const plans = tables.flatMap((table) => {
    if (table.rows.length < FEWEST || table.rows.length > MOST || !hasOwnNames(table)) return []
    const plan = planQuery(question, table, aggregate)
    return plan ? [{ plan, table }] : []
  })
  const least = Math.min(...plans.map(({ plan }) => plan.beyond))
  const [best, other] = plans.filter(({ plan }) => plan.beyond === least)
  // Of two tables that fit alike neither is the one that is meant.
  return best && !other ? runPlan(best.plan, best.table, called) : undefined
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

const SAID = { '=': 'is', '<': 'is less than', '<=': 'is at most', '>': 'is more than', '>=': 'is at least' } as const

function runPlan(plan: QueryPlan, table: EvidenceTable, called: string): ComputedAnswer {
  const { column, group, named, isDistinct = false, filters, beyond } = plan
  const [names, name] = [columnNames(table.header), identifier(table.name)]
  const sql = statementOf(plan, table, { names, name })
  const answers = queryTable(table, { names, name, sql })
  const what = column === undefined ? 'rows' : `${isDistinct ? 'different values of ' : ''}${table.header[column]}`
  const whose = filters
    .map(([at, text, comparison = '=']) => `${table.header[at]} ${SAID[comparison]} ${text}`)
    .join(' and ')
  const told =
    named === undefined
      ? answers
          .slice(0, MOST_GROUPS)
          .map((row) => row.map(shortNumber).join(': '))
          .join('; ')
      : [shortNumber(answers[0]?.[0]), answers.map((row) => row[1]).join(', ')].join(', of ')
  const rest = answers.length - MOST_GROUPS
  const text = `The ${called} of ${what}${whose === '' ? '' : ` where ${whose}`}${group === undefined ? '' : ` by ${table.header[group]}`}: ${told}${rest > 0 ? `; and ${rest} more` : ''}`
  const groups = answers.flatMap(([name, found]): NamedValue[] =>
    group !== undefined && typeof found === 'number' ? [{ name: String(name), value: found }] : [],
  )
  return { text, sql, ref: table.ref, isWhole: beyond === 0 && rest <= 0, ...(groups.length > 1 && { groups }) }
}

interface SqlNames {
  readonly name: string
  readonly names: readonly string[]
}

/** Common SQL, so that whoever reads the report can run it. */
function statementOf(
  { aggregate, column, group, named, isDistinct = false, filters }: QueryPlan,
  table: EvidenceTable,
  { name, names }: SqlNames,
): string {
  const value = column === undefined ? 'COUNT(*)' : `${aggregate}(${isDistinct ? 'DISTINCT ' : ''}${names[column]})`
  const conditions = filters.map((filter) => {
    const [at, value, comparison = '='] = filter
    const spellings = isNumeric(table, at) ? [] : spellingsOf(table, at, value).map(quoteText)
    if (spellings.length > 1) return `${names[at]} IN (${spellings.join(', ')})`
    return `${names[at]} ${comparison} ${literalOf(filter, table)}`
  })
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  if (named !== undefined && column !== undefined) {
    const extreme = `${names[column]} = (SELECT ${value} FROM ${name}${where})`
    return `SELECT ${names[column]}, ${names[named]} FROM ${name} WHERE ${[...conditions, extreme].join(' AND ')}`
  }
  const by = group === undefined ? '' : (names[group] ?? '')
  return `SELECT ${by === '' ? '' : `${by}, `}${value} FROM ${name}${where}${by === '' ? '' : ` GROUP BY ${by} ORDER BY ${by}`}`
}

/** What is compared with stands in the question, all else in a cell. */
function literalOf([at, text, comparison]: CellFilter, table: EvidenceTable): string {
  if (!isNumeric(table, at)) return quoteText(text)
  return String(comparison === undefined ? readCellNumber(table, at, text) : readAskedNumber(table, text))
}

const quoteText = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`

function shortNumber(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : String(value ?? 'none')
}

/** SQLite keeps names that begin with `sqlite_` for itself. */
function identifier(name: string): string {
  return `"${name
    .replace(/["`\0\s]+/g, ' ')
    .trim()
    .replace(/^(?=sqlite_)/i, '_')}"`
}

/** Groups that are told. */
const MOST_GROUPS = 50

/** The rows of a query over the table, in a database of its own in memory. */
function queryTable(table: EvidenceTable, { names, name, sql }: SqlNames & { readonly sql: string }): unknown[][] {
  const database = new Database(':memory:')
  try {
    const isNumber = table.header.map((_, at) => isNumeric(table, at))
    database.exec(`CREATE TABLE ${name} (${names.join(', ')})`)
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${names.map(() => '?').join(', ')})`)
    const fill = database.transaction(() => {
      for (const row of table.rows) {
        insert.run(
          table.header.map((_, at) => (isNumber[at] ? readCellNumber(table, at, row[at] ?? '') : (row[at] ?? ''))),
        )
      }
    })
    fill()
    return database.prepare(sql).raw().all() as unknown[][]
  } finally {
    database.close()
  }
}
