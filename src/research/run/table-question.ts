/** What a question asks of a table: the column, what it is computed for, and the rows that count. */

import { readQuestion } from '../../retrieval/passages.ts'
import { termsIn } from '../routing/terms.ts'
import { readAskedNumber, readCellNumber } from './table-numbers.ts'

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

export type Aggregate = 'COUNT' | 'SUM' | 'AVG' | 'MAX' | 'MIN'

/** How it is asked for, and what it is called. */
export const AGGREGATES: readonly (readonly [Aggregate, RegExp, string])[] = [
  ['AVG', /\b(?:average|mean)\b/i, 'average'],
  ['SUM', /\b(?:total|sum|altogether|combined)\b/i, 'sum'],
  [
    'MAX',
    /\b(?:highest|largest|biggest|greatest|maximum|longest|tallest|oldest|heaviest|(?:the|has|have|had) most)\b/i,
    'highest value',
  ],
  [
    'MIN',
    /\b(?:lowest|smallest|minimum|shortest|youngest|lightest|(?:the|has|have|had) (?:fewest|least))\b/i,
    'lowest value',
  ],
  ['COUNT', /\b(?:how many|number of)\b/i, 'number'],
]

/** A column, and what its cells must be; `=` where nothing is said. */
export type CellFilter = readonly [column: number, value: string, comparison?: Comparison]

export type Comparison = '=' | '<' | '<=' | '>' | '>='

export interface QueryPlan {
  readonly aggregate: Aggregate
  /** Places of columns; `named`: the one whose value is asked for, where the highest or the lowest stands. */
  readonly column: number | undefined
  readonly group: number | undefined
  readonly named: number | undefined
  /** Whether values of the column that are the same count once. */
  readonly isDistinct?: boolean
  readonly filters: readonly CellFilter[]
  /** Words of the question that nothing of the table accounts for: it may ask for something else. */
  readonly beyond: number
}

/** What turns a condition around, or asks for another place in the order than the first. */
const OTHERWISE =
  /\b(?:not|no|without|except|excluding|excludes?|besides|other than|apart from|second|third|fourth|fifth|\d(?:nd|rd|th)|median)\b|n['’]t\b/i

/** Whether a question asks for several figures: the lowest and the highest, the highest of sums, two groups in one. */
function asksForTwo(question: string): boolean {
  const asked = AGGREGATES.filter(([aggregate, pattern]) => aggregate !== 'COUNT' && pattern.test(question))
  const counts = question.match(/\bhow many\b/gi)?.length ?? 0
  return (
    asked.length > 1 ||
    counts > 1 ||
    /\b(?:per|by|(?:for|in|of) (?:each|every))\s+[\p{L}\p{M}-]+\s+and\b/iu.test(question)
  )
}

/** Whether a row sums up the others, which would count twice. */
function hasTotal({ rows }: EvidenceTable): boolean {
  return rows.some((row) => /^\W*(?:grand )?(?:total|sum|all|overall|summe|gesamt|insgesamt)\W*$/i.test(row[0] ?? ''))
}

/** What to compute; undefined where the table lacks what is asked for, or a number or name of the question stands nowhere in it. */
export function planQuery(question: string, table: EvidenceTable, aggregate: Aggregate): QueryPlan | undefined {
  if (OTHERWISE.test(question) || asksForTwo(question) || hasTotal(table)) return undefined
  const group = groupOf(question, table)
  const compared = aggregate === 'COUNT' ? comparedCells(question, table) : []
  const named = [...namedCells(question, table), ...numberedCells(question, table)]
  const isCompared = ([at]: CellFilter) => compared.some(([column]) => column === at)
  const filters = [...named.filter((one) => !isCompared(one)), ...compared].filter(([at]) => at !== group)
  const plan =
    aggregate === 'COUNT' ? planCount(question, table, { group, filters }) : planColumn(question, table, group)
  if (!plan) return undefined
  const whose = aggregate === 'MAX' || aggregate === 'MIN' ? namedColumn(question, table) : undefined
  if (whose === 'many') return undefined
  const { isOfAll: _, ...chosen } = plan
  const whole = { aggregate, group, named: whose, filters, ...chosen }
  const beyond = wordsBeyond(question, table, whole)
  if (beyond.some((word) => isNameOrNumber(word, question))) return undefined
  if (plan.isOfAll && beyond.length > 0) return undefined
  // Whoever asks who or which wants a name, which is not there.
  const lacksName = whose === undefined && aggregate !== 'COUNT' && /^\W*(?:who|which|whose)\b/i.test(question)
  const isNamed = !lacksName || group !== undefined
  return { ...whole, beyond: beyond.length + (isNamed ? 0 : 1) }
}

interface Chosen {
  readonly group: number | undefined
  readonly filters: readonly CellFilter[]
}

/** Words behind `how many` of which one says what is counted. */
const COUNTED =
  /\b(?:how many|number of)\s+((?:(?!(?:are|is|was|were|has|have|had|do|does|did|in|of|with|per|by|on|at|to)\b)[\p{L}\p{M}\p{N}-]+\s*){1,4})/iu

interface ChosenColumn {
  readonly column: number | undefined
  readonly isDistinct?: boolean
  /** Whether the question may say nothing else. */
  readonly isOfAll?: boolean
}

function planCount(question: string, table: EvidenceTable, { group, filters }: Chosen): ChosenColumn | undefined {
  const [, counted = ''] = COUNTED.exec(question) ?? []
  // What a column holds as a number is looked up, and not counted.
  const own = columnCounted(counted, table)
  if (own !== undefined && !hasOwnValues(table, own)) {
    return group === undefined ? { column: own, isDistinct: true, isOfAll: true } : undefined
  }
  if (own === undefined && table.header.some((name, at) => isNumeric(table, at) && sharesTerm(counted, name))) {
    return undefined
  }
  const isRows = termsIn(counted).some((term) => ['row', 'record', 'entri', 'line'].includes(term))
  const isNamed = isRows || own !== undefined || sharesTerm(counted, `${table.about} ${table.header[0] ?? ''}`)
  const isPlain = isRows || filters.length > 0 || group !== undefined
  if (own !== undefined && !isPlain) return { column: undefined, isOfAll: true }
  return isNamed && isPlain ? { column: undefined } : undefined
}

function planColumn(question: string, table: EvidenceTable, group: number | undefined): ChosenColumn | undefined {
  const words = new Set(termsIn(question))
  const column = table.header.findIndex((name, at) => {
    const terms = termsIn(name)
    return at !== group && terms.length > 0 && terms.every((term) => words.has(term)) && isNumeric(table, at)
  })
  return column < 0 ? undefined : { column }
}

/** The column of names that is called what is counted: `Major`. */
function columnCounted(counted: string, table: EvidenceTable): number | undefined {
  const wanted = termsIn(counted).join(' ')
  const at = table.header.findIndex((name, place) => termsIn(name).join(' ') === wanted && !isNumeric(table, place))
  return wanted !== '' && at >= 0 ? at : undefined
}

/** The column behind `which`, of which a row is one each; `many` where several rows share a value. */
function namedColumn(question: string, table: EvidenceTable): number | 'many' | undefined {
  const [, asked = ''] = /\b(?:which|what|whose)\s+([\p{L}\p{M}-]+)/iu.exec(question) ?? []
  const wanted = termsIn(asked).join(' ')
  if (wanted === '') return undefined
  const at = table.header.findIndex((name, place) => termsIn(name).includes(wanted) && !isNumeric(table, place))
  if (at < 0) return undefined
  return hasOwnValues(table, at) ? at : 'many'
}

function hasOwnValues({ rows }: EvidenceTable, at: number): boolean {
  return new Set(rows.map((row) => row[at] ?? '')).size === rows.length
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
function namedCells(question: string, table: EvidenceTable): CellFilter[] {
  const asked = ` ${plainWords(question)} `
  return table.header.flatMap((name, at): CellFilter[] => {
    if (isNumeric(table, at)) return []
    const named = [...new Set(table.rows.map((row) => row[at] ?? ''))].filter((value) => {
      const plain = plainWords(value)
      return (
        plain.length > 1 && plain !== name.toLowerCase() && termsIn(plain).length > 0 && asked.includes(` ${plain} `)
      )
    })
    const best = named.sort((a, b) => b.length - a.length)[0]
    return best === undefined ? [] : [[at, best]]
  })
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Numbers that the question names and only one column of numbers holds: a year. Not those that it compares with. */
function numberedCells(question: string, table: EvidenceTable): CellFilter[] {
  const { numbers } = readQuestion(question)
  return [...new Set(numbers)].flatMap((digits): CellFilter[] => {
    const columns = table.header.flatMap((_, at) =>
      isNumeric(table, at) && table.rows.some((row) => row[at]?.trim() === digits) ? [at] : [],
    )
    const [only, another] = columns
    return only === undefined || another !== undefined ? [] : [[only, digits]]
  })
}

const COMPARISONS: readonly (readonly [Comparison, RegExp])[] = [
  ['>', /\b(?:(?:more|greater|higher|larger|longer|older) than|over|above)\s+(\d[\d.,]*)/i],
  ['<', /\b(?:(?:less|fewer|lower|smaller|shorter|younger) than|under|below)\s+(\d[\d.,]*)/i],
  ['>=', /\bat least\s+(\d[\d.,]*)/i],
  ['<=', /\bat most\s+(\d[\d.,]*)/i],
  ['>=', /\bbetween\s+(\d[\d.,]*)\s+and\s+\d/i],
  ['<=', /\bbetween\s+\d[\d.,]*\s+and\s+(\d[\d.,]*)/i],
  ['=', /\b(?:of|exactly|equal to)\s+(\d[\d.,]*)/i],
]

/** Numbers that cells of a named column are compared with. */
function comparedCells(question: string, table: EvidenceTable): CellFilter[] {
  const words = new Set(termsIn(question))
  const column = table.header.findIndex((name, at) => {
    const terms = termsIn(name)
    return terms.length > 0 && terms.every((term) => words.has(term)) && isNumeric(table, at)
  })
  if (column < 0) return []
  return COMPARISONS.flatMap(([comparison, pattern]): CellFilter[] => {
    const [, number] = pattern.exec(question) ?? []
    const value = number?.replace(/[.,]+$/, '') ?? ''
    return readAskedNumber(table, value) === null ? [] : [[column, value, comparison]]
  })
}

/** Words that ask for something computed of a table, and name nothing in it. */
const COMPUTING = new Set(
  termsIn(
    `average mean total sum altogether combined highest largest biggest greatest maximum longest tallest oldest heaviest most
    lowest smallest minimum shortest youngest lightest fewest least number count rows records entries lines table tables file data
    dataset list column values all every each overall together per there more less fewer greater higher lower larger smaller longer
    shorter older younger than over above under below at many much`,
  ),
)

/** The words of a question that neither a column, a value, nor the name of the table accounts for. */
function wordsBeyond(question: string, table: EvidenceTable, { column, group, filters }: Omit<QueryPlan, 'beyond'>) {
  const columns = table.header.filter((_, at) => at === column || at === group || !isNumeric(table, at))
  const held = new Set(
    termsIn(
      [table.about, table.name, ...columns, ...filters.flatMap(([at, value]) => [table.header[at], value])].join(' '),
    ),
  )
  const words = question.match(/\p{L}[\p{L}\p{M}\p{N}-]*|\d+(?:[.,]\d+)*/gu) ?? []
  return words.filter((word) => termsIn(word).some((term) => !held.has(term) && !COMPUTING.has(term)))
}

function isNameOrNumber(word: string, question: string): boolean {
  return /^\d/.test(word) || (/^\p{Lu}/u.test(word) && question.indexOf(word) > 0)
}

/** Share of the cells with something in them that are numbers. */
const NUMERIC = 0.9

/** What stands in a cell for which there is no value. */
const NOTHING = /^(?:n\/?a|nan|null|none|[-–—?.]+)$/i

export function isNumeric(table: EvidenceTable, at: number): boolean {
  const filled = table.rows.flatMap((row) => (row[at] && !NOTHING.test(row[at].trim()) ? [row[at]] : []))
  const signs = new Set(filled.flatMap((cell) => /[€$£%]|[A-Z]{3}$/.exec(cell.trim())?.[0] ?? []))
  // Of two currencies there is no sum.
  if (signs.size > 1) return false
  return (
    filled.length > 0 &&
    filled.filter((cell) => readCellNumber(table, at, cell) !== null).length >= filled.length * NUMERIC
  )
}

/** Whether a word says what is to be computed: a table need not hold it. */
export function isComputingWord(word: string): boolean {
  return termsIn(word).every((term) => COMPUTING.has(term))
}
