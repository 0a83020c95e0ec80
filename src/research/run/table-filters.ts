/** The rows of a table that a question means: by cells that it names, and by numbers that it compares with. */

import { readQuestion } from '../../retrieval/passages.ts'
import { trimEnd } from '../../text/trim.ts'
import { termsIn } from '../routing/terms.ts'
import { findWord, plainWords } from './plain-words.ts'
import { columnTerms, type EvidenceTable, isKeyColumn, isNumeric, isTime } from './table-columns.ts'
import { readAskedNumber } from './table-numbers.ts'

/** A column, and what its cells must be; `=` where nothing is said. */
export type CellFilter = readonly [column: number, value: string, comparison?: Comparison]

export type Comparison = '=' | '<' | '<=' | '>' | '>='

/** Cells of text that the question names, one of each column: the longest. */
export function namedCells(question: string, table: EvidenceTable): CellFilter[] {
  const asked = ` ${plainWords(question)} `
  return table.header.flatMap((name, at): CellFilter[] => {
    if (isNumeric(table, at)) return []
    const named = [...new Set(table.rows.map((row) => row[at] ?? ''))].filter((value) => {
      const plain = plainWords(value)
      const isTelling = termsIn(plain).length > 0 || isNameIn(value.trim(), question)
      return plain.length > 1 && plain !== name.toLowerCase() && isTelling && asked.includes(` ${plain} `)
    })
    const best = named.sort((a, b) => b.length - a.length)[0]
    return best === undefined ? [] : [[at, best]]
  })
}

/**
 * Whether a word that is else none, such as `IT`, `US` or `May`, is a name as it stands in a question. Where all words have
 * capitals, those say nothing.
 */
export function isNameIn(word: string, question: string): boolean {
  const at = findWord(question, word)
  if (at < 0 || !/(?<!\p{L})\p{Ll}/u.test(question)) return false
  return /^\p{Lu}{2,}$/u.test(word) || (/^\p{Lu}/u.test(word) && at > question.search(/\p{L}/u))
}

/**
 * Numbers that the question names and only one column of numbers holds: a year, the number of a row, or of a column that is named.
 * Not those that it compares with.
 */
export function numberedCells(question: string, table: EvidenceTable): CellFilter[] {
  const { numbers } = readQuestion(question)
  const asked = new Set(termsIn(question))
  const isMeant = (name: string, at: number) => {
    const terms = columnTerms(name)
    const isNamed = terms.length > 0 && terms.every((term) => asked.has(term))
    return isNamed || isTime(name) || isKeyColumn(table, at)
  }
  return [...new Set(numbers)].flatMap((digits): CellFilter[] => {
    const columns = table.header.flatMap((name, at) =>
      isNumeric(table, at) && isMeant(name, at) && table.rows.some((row) => row[at]?.trim() === digits) ? [at] : [],
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
  ['<=', /\bup to\s+(\d[\d.,]*)/i],
  ['>=', /(\d[\d.,]{0,30})\s+or\s+(?:more|above|higher|larger|longer|older|greater|over)\b/i],
  ['<=', /(\d[\d.,]{0,30})\s+or\s+(?:fewer|less|below|lower|smaller|shorter|younger|under)\b/i],
  ['=', /(?:\b(?:exactly|equal to)|(?<![<>])=)\s*(\d[\d.,]*)/i],
  ['>=', /(?:>=|≥)\s*(\d[\d.,]*)/],
  ['<=', /(?:<=|≤)\s*(\d[\d.,]*)/],
  ['>', />\s*(\d[\d.,]*)/],
  ['<', /<\s*(\d[\d.,]*)/],
  ['>', /\bexceed(?:s|ing)?\s+(\d[\d.,]*)/i],
  ['>=', /(\d[\d.,]{0,30})(?:\s*\+|\s+(?:and|or) up\b)/i],
]

/** Numbers that cells of a named column are compared with. */
export function comparedCells(question: string, table: EvidenceTable): CellFilter[] {
  const words = [...question.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*/gu)]
  const asked = new Set(termsIn(question))
  const columns = table.header.flatMap((name, at) => {
    const terms = columnTerms(name)
    return terms.length > 0 && terms.every((term) => asked.has(term)) && isNumeric(table, at) ? [{ at, terms }] : []
  })
  const places = words.flatMap(({ 0: word, index }) => {
    const [term] = termsIn(word)
    const column = columns.find(({ terms }) => term !== undefined && terms.includes(term))
    return column === undefined ? [] : [{ index, column: column.at }]
  })
  return COMPARISONS.flatMap(([comparison, pattern]): CellFilter[] => {
    const found = pattern.exec(question)
    if (!found) return []
    const value = trimEnd(found[1] ?? '', '.,')
    const column = columnOf(question, { from: found.index, to: found.index + found[0].length }, places)
    return readAskedNumber(table, value) === null || column === undefined ? [] : [[column, value, comparison]]
  })
}

/** The column that a comparison is about: the one behind its number, else the last before it, else the first. */
function columnOf(
  question: string,
  { from, to }: { readonly from: number; readonly to: number },
  places: readonly { readonly index: number; readonly column: number }[],
): number | undefined {
  const behind = places.find(({ index }) => index >= to && /^[^\p{L}\p{N}]*$/u.test(question.slice(to, index)))
  return (behind ?? places.findLast(({ index }) => index < from) ?? places[0])?.column
}

/** Whether the rows are those that are meant: each column has one value at most, and none that is the end of a range. */
export function meansRows(filters: readonly CellFilter[], ranges: ReadonlySet<string>): boolean {
  const same = filters.filter(([, , comparison]) => comparison === undefined)
  return new Set(same.map(([column]) => column)).size === same.length && !same.some(([, value]) => ranges.has(value))
}
