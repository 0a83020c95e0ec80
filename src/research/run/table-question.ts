/** What a question asks of a table: the column, what it is computed for, and the rows that count. */

import { termsIn } from '../routing/terms.ts'
import { plainWords } from './plain-words.ts'
import { columnTerms, type EvidenceTable, hasOwnValues, isKeyColumn, isNumeric, isPlain } from './table-columns.ts'
import { type CellFilter, comparedCells, isNameIn, meansRows, namedCells, numberedCells } from './table-filters.ts'
import type { Aggregate, QueryPlan } from './table-plan.ts'
import { asksElsewhere, asksForNoFigure, isCondition, rangeNumbers } from './table-refusals.ts'
import { hasTotal, isUnsound } from './table-soundness.ts'

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

/** Whether a question asks for several figures: the lowest and the highest, the highest of sums. */
function asksForTwo(question: string): boolean {
  const asked = AGGREGATES.filter(([aggregate, pattern]) => aggregate !== 'COUNT' && pattern.test(question))
  const times = question.match(/\bhow many\b/gi)?.length ?? 0
  const isOther = times > 0 && asked.length > 0 && !/\b(?:in total|altogether|combined)\b/i.test(question)
  return asked.length > 1 || times > 1 || isOther
}

/** What to compute; undefined where the table lacks what is asked for, or a number or name of the question stands nowhere in it. */
export function planQuery(question: string, table: EvidenceTable, aggregate: Aggregate): QueryPlan | undefined {
  if (asksForNoFigure(question) || asksForTwo(question) || hasTotal(table)) return undefined
  const group = groupOf(question, table)
  const compared = aggregate === 'COUNT' ? comparedCells(question, table) : []
  const named = [...namedCells(question, table), ...numberedCells(question, table)]
  const isCompared = ([at]: CellFilter) => compared.some(([column]) => column === at)
  const filters = [...named.filter((one) => !isCompared(one)), ...compared].filter(([at]) => at !== group)
  if (!meansRows(filters, rangeNumbers(question))) return undefined
  const plan =
    aggregate === 'COUNT' ? planCount(question, table, { group, filters }) : planColumn(question, table, group)
  if (!plan) return undefined
  const whose = aggregate === 'MAX' || aggregate === 'MIN' ? namedColumn(question, table, plan.column) : undefined
  // Of each group the row of its highest value is another one.
  if (whose === 'many' || (whose !== undefined && group !== undefined)) return undefined
  const { isOfAll: _, ...chosen } = plan
  const whole = { aggregate, group, named: whose, filters, ...chosen }
  if (isUnsound(question, table, whole)) return undefined
  const beyond = wordsBeyond(question, table, whole)
  if (beyond.some((word) => isNameOrNumber(word, question) || isCondition(word, question))) return undefined
  const held = plainWords([...table.header, ...filters.map(([, value]) => value)].join(' ')).split(' ')
  if (asksElsewhere(question, held) || asksByColumn(question, table, whole)) return undefined
  if (plan.isOfAll && beyond.length > 0) return undefined
  // Whoever asks who or which wants a name, which is not there.
  const lacksName = whose === undefined && aggregate !== 'COUNT' && /^\W*(?:who|which|whose)\b/i.test(question)
  const isNamed = !lacksName || group !== undefined
  return { ...whole, beyond: beyond.length + (isNamed ? 0 : 1) }
}

/** Whether a question names a column of kinds and none of them, as in `How many cities are open?`: which rows it means is not said. */
function asksByColumn(question: string, table: EvidenceTable, plan: Omit<QueryPlan, 'beyond'>): boolean {
  const { column, group, named, filters } = plan
  const used = [column, group, named, ...filters.map(([at]) => at)]
  const [, counted = ''] = COUNTED.exec(question) ?? []
  const [asked, about] = [new Set(termsIn(question)), `${table.about} ${counted}`]
  return table.header.some((name, at) => {
    const terms = columnTerms(name)
    const isAsked = terms.length > 0 && terms.every((term) => asked.has(term))
    return (
      isAsked && !used.includes(at) && !isNumeric(table, at) && !hasOwnValues(table, at) && !sharesTerm(name, about)
    )
  })
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
  const [first = ''] = counted.split(/\s/, 1)
  const ofFirst = columnCounted(first, table)
  const own =
    columnCounted(counted, table) ?? (ofFirst !== undefined && !hasOwnValues(table, ofFirst) ? ofFirst : undefined)
  if (own !== undefined && !isPlain(table, own)) return undefined
  if (own !== undefined && !hasOwnValues(table, own)) {
    return group === undefined ? { column: own, isDistinct: true, isOfAll: true } : undefined
  }
  const isLookedUp = (name: string, at: number) =>
    isNumeric(table, at) && !isKeyColumn(table, at) && sharesTerm(counted, name)
  if (own === undefined && table.header.some(isLookedUp)) return undefined
  const isRows = termsIn(counted).some((term) => ['row', 'record', 'entri', 'line'].includes(term))
  const isNamed = isRows || own !== undefined || sharesTerm(counted, `${table.about} ${table.header[0] ?? ''}`)
  const isOfSome = isRows || filters.length > 0 || group !== undefined
  if (own !== undefined && !isOfSome) return { column: undefined, isOfAll: true }
  return isNamed && isOfSome ? { column: undefined } : undefined
}

function planColumn(question: string, table: EvidenceTable, group: number | undefined): ChosenColumn | undefined {
  const words = new Set(termsIn(question))
  const columns = table.header.flatMap((name, at) => {
    const terms = columnTerms(name)
    const isAsked = at !== group && terms.length > 0 && terms.every((term) => words.has(term))
    return isAsked && isNumeric(table, at) && !isKeyColumn(table, at) ? [{ column: at, terms: terms.length }] : []
  })
  // `Price per kg` before `Price`.
  const [best] = columns.sort((a, b) => b.terms - a.terms)
  return best && { column: best.column }
}

/** The column of names that is called what is counted: `Major`. */
function columnCounted(counted: string, table: EvidenceTable): number | undefined {
  const wanted = termsIn(counted).join(' ')
  const at = table.header.findIndex((name, place) => columnTerms(name).join(' ') === wanted && !isNumeric(table, place))
  return wanted !== '' && at >= 0 ? at : undefined
}

/** The column behind `which`, of which a row is one each; `many` where several rows share a value. */
function namedColumn(question: string, table: EvidenceTable, column: number | undefined): number | 'many' | undefined {
  const [, asked = ''] = /\b(?:which|what|whose)\s+([\p{L}\p{M}-]+)/iu.exec(question) ?? []
  const wanted = termsIn(asked).join(' ')
  if (wanted === '') return undefined
  const at = table.header.findIndex((name, place) => place !== column && columnTerms(name).includes(wanted))
  if (at < 0) return undefined
  return hasOwnValues(table, at) ? at : 'many'
}

function sharesTerm(one: string, other: string): boolean {
  const terms = new Set(termsIn(other))
  return termsIn(one).some((term) => terms.has(term))
}

/** The column that stands behind `per`, `by` or `each`. */
function groupOf(question: string, { header }: EvidenceTable): number | undefined {
  const asked = ` ${plainWords(question)} `
  const isInName = header.some((name) => /\bper\b/i.test(name) && asked.includes(` ${plainWords(name)} `))
  if (isInName) return undefined
  const [, named = ''] = /\b(?:per|by|(?:for|in|of) (?:each|every))\s+([\p{L}\p{M}-]+)/iu.exec(question) ?? []
  const terms = termsIn(named)
  const at = header.findIndex((name) => terms.length > 0 && terms.every((term) => columnTerms(name).includes(term)))
  return at < 0 ? undefined : at
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
  const isOfText = (at: number) => !isNumeric(table, at) || isKeyColumn(table, at)
  const places = table.header.flatMap((_, at) => (at === column || at === group || isOfText(at) ? [at] : []))
  const named = [...places, ...filters.map(([at]) => at)].map((at) => table.header[at] ?? '')
  const used = [...named, ...filters.map(([, value]) => value)].join(' ')
  const held = new Set([...termsIn(used), ...named.flatMap(columnTerms)])
  const about = new Set(termsIn(`${table.about} ${table.name}`))
  const asked = new Set(termsIn(question))
  const unused = unusedTerms(table, new Set([...about].filter((term) => asked.has(term) && !held.has(term))))
  const isHeld = (term: string) => held.has(term) || COMPUTING.has(term) || (about.has(term) && !unused.has(term))
  const plain = new Set(plainWords(used).split(' '))
  const isLostName = (word: string) =>
    termsIn(word).length === 0 && isNameIn(word, question) && !plain.has(word.toLowerCase()) && !isStressed(word)
  const words = question.match(/\p{L}[\p{L}\p{M}\p{N}-]*|\d+(?:[.,]\d+)*/gu) ?? []
  return words.filter((word) => isLostName(word) || termsIn(word).some((term) => !isHeld(term)))
}

/** Letters that a stem shares with the words that it is of. */
const STEM = 3

/** Terms of the table's name that a column name or a cell contains, too. A question with such a term means the column or cell. */
function unusedTerms(table: EvidenceTable, terms: ReadonlySet<string>): ReadonlySet<string> {
  if (terms.size === 0) return terms
  const found = new Set(table.header.flatMap(columnTerms).filter((term) => terms.has(term)))
  // Most cells hold none of them, and to stem the words of each takes long.
  const begins = [...terms].map((term) => term.slice(0, STEM))
  const mayHold = (cell: string) => begins.some((begin) => cell.toLowerCase().includes(begin))
  for (const row of table.rows) {
    for (const cell of row) {
      for (const term of mayHold(cell) ? termsIn(cell) : []) if (terms.has(term)) found.add(term)
    }
    if (found.size === terms.size) break
  }
  return found
}

/** Words that people write in capitals to stress them. */
const isStressed = (word: string) => /^(?:AND|OR|NOT|ALL|I)$/.test(word)

function isNameOrNumber(word: string, question: string): boolean {
  return /^\d/.test(word) || isNameIn(word, question) || (/^\p{Lu}/u.test(word) && question.indexOf(word) > 0)
}

/** Whether a word says what is to be computed: a table need not hold it. */
export function isComputingWord(word: string): boolean {
  return termsIn(word).every((term) => COMPUTING.has(term))
}
