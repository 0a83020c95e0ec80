/** Whether a figure of a table would count what it should not, or leave out what it should count. */

import { plainWords } from './plain-words.ts'
import { type EvidenceTable, isAllNumbers, isNumeric, isPlain, isTime } from './table-columns.ts'
import type { CellFilter } from './table-filters.ts'
import type { QueryPlan } from './table-plan.ts'
import { rangeNumbers } from './table-refusals.ts'

/** Begins the name of a row that sums up others. */
const TOTAL =
  /^\W*(?:(?:grand|sum) )?(?:totals?|sum|sub-?totals?|overall|average|mean|summe|zwischensumme|gesamt\p{L}*|insgesamt|Ø|∑|Σ)(?![\p{L}\p{N}])|^\W*all(?!\s+\p{Lu})(?![\p{L}\p{N}])/iu

const TOTALS = new WeakMap<EvidenceTable, boolean>()

/** Whether a row sums up the others, which would count twice. */
export function hasTotal(table: EvidenceTable): boolean {
  const known = TOTALS.get(table) ?? table.rows.some((row) => row.some((cell) => TOTAL.test(cell)))
  TOTALS.set(table, known)
  return known
}

/** Whether a figure of these columns would leave cells out or combine unlike ones. */
export function isUnsound(question: string, table: EvidenceTable, plan: Omit<QueryPlan, 'beyond'>): boolean {
  const { aggregate, column, group, isDistinct = false, filters } = plan
  const used = [column, ...filters.map(([at]) => at)].filter((at) => at !== undefined)
  if (used.some((at) => isNumeric(table, at) && !isAllNumbers(table, at))) return true
  const counted = [group, isDistinct ? column : undefined].filter((at) => at !== undefined)
  if (counted.some((at) => !isPlain(table, at))) return true
  // `per` a column of numbers, other than a time, asks for a ratio.
  if (group !== undefined && isNumeric(table, group) && !isTime(table.header[group] ?? '')) return true
  const name = column === undefined ? '' : (table.header[column] ?? '')
  if ([...rangeNumbers(question)].some((number) => plainWords(name).split(' ').includes(number))) return true
  const isExtreme = aggregate === 'MAX' || aggregate === 'MIN'
  if (isExtreme && /\b(?:rank|ranking|position|place|version)\b/i.test(name)) return true
  if (isExtreme && /\b(?:oldest|youngest)\b/i.test(question) && /year|date|born|built|founded/i.test(name)) return true
  const isSum = aggregate !== 'COUNT' && !isDistinct
  return isSum && table.header.some((one, at) => isUnit(one) && !isOneValue(table, at, filters))
}

const isUnit = (name: string) => /^\W*(?:currency|unit|units|währung|einheit)\W*$/i.test(name)

/** Whether the rows that count have one value there. */
function isOneValue(table: EvidenceTable, at: number, filters: readonly CellFilter[]): boolean {
  return filters.some(([column]) => column === at) || new Set(table.rows.map((row) => row[at] ?? '')).size <= 1
}
