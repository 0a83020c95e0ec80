/** Which terms of a task stand where in an index: one pass over all of its records. */

import { RecordReader } from './file-record.ts'
import type { IndexedFile } from './index-file.ts'

/** Terms beyond these say little: the weightiest are taken. */
const MOST_TERMS = 600

/** The terms of a task as they are looked for. */
export class TermTable {
  readonly weights: readonly number[]
  /** By their numbers. */
  readonly terms: readonly number[]
  readonly #numbers: ReadonlyMap<number, number>
  /** Whether any term has these low 16 bits: nearly all others are passed over by it. */
  readonly #filter = new Uint8Array(0x10000)

  constructor(terms: ReadonlyMap<number, number>) {
    const taken = [...terms].sort(([, a], [, b]) => b - a).slice(0, MOST_TERMS)
    this.terms = taken.map(([term]) => term)
    this.weights = taken.map(([, weight]) => weight)
    this.#numbers = new Map(taken.map(([term], number) => [term, number]))
    for (const [term] of taken) this.#filter[term & 0xffff] = 1
  }

  /** The number of a term; -1 for one that is not looked for. */
  numberOf(term: number): number {
    return this.#filter[term & 0xffff] === 1 ? (this.#numbers.get(term) ?? -1) : -1
  }
}

/** How often a term stands in a file: in its path, in the names that it defines, in all of it. */
export interface FileMatch {
  readonly term: number
  path: number
  names: number
  body: number
}

/** What was found in one file. */
export interface FileMatches {
  readonly matches: readonly FileMatch[]
  /** How many words there are. */
  readonly nameLength: number
  readonly length: number
  readonly units: readonly UnitMatches[]
}

export interface UnitMatches {
  readonly length: number
  /** Term, how often; term, how often … */
  readonly counts: readonly number[]
}

/** What was found in all files, in their order; undefined for a file in which nothing was. */
export interface MatchRecords {
  readonly files: readonly (FileMatches | undefined)[]
  /** How many files define each of the names, and which. */
  readonly definers: ReadonlyMap<number, readonly number[]>
}

/** Looks for the terms, and for the names that are defined, in every record. */
export function matchRecords(
  files: readonly IndexedFile[],
  table: TermTable,
  names: ReadonlySet<number>,
): MatchRecords {
  const reader = new RecordReader()
  const definers = new Map([...names].map((name) => [name, [] as number[]]))
  const filter = new Uint8Array(0x10000)
  for (const name of names) filter[name & 0xffff] = 1
  const found = files.map(({ record }, index) => {
    reader.open(record)
    for (const name of reader.names) if (filter[name & 0xffff] === 1) definers.get(name)?.push(index)
    return matchRecord(reader, table)
  })
  return { files: found, definers }
}

function matchRecord(reader: RecordReader, table: TermTable): FileMatches | undefined {
  const numbers = new Int32Array(reader.terms.length).fill(-1)
  const byTerm = new Map<number, FileMatch>()
  for (let place = 0; place < numbers.length; place++) {
    const term = table.numberOf(reader.terms[place] ?? 0)
    if (term < 0) continue
    numbers[place] = term
    byTerm.set(term, { term, path: 0, names: 0, body: 0 })
  }
  if (byTerm.size === 0) return undefined
  const path = readPart(reader, numbers)
  const names = readPart(reader, numbers)
  eachCount(path, byTerm, (match, times) => {
    match.path = times
  })
  eachCount(names, byTerm, (match, times) => {
    match.names = times
  })
  const units = Array.from({ length: reader.units }, () => readPart(reader, numbers))
  for (const unit of units) {
    eachCount(unit, byTerm, (match, times) => {
      match.body += times
    })
  }
  const length = units.reduce((sum, unit) => sum + unit.length, 0)
  return { matches: [...byTerm.values()], nameLength: names.length, length, units }
}

function readPart(reader: RecordReader, numbers: Int32Array): UnitMatches {
  const length = reader.next()
  const counts: number[] = []
  let place = 0
  for (let left = reader.next(); left > 0; left--) {
    place += reader.next()
    const times = reader.next()
    const term = numbers[place] ?? -1
    if (term >= 0) counts.push(term, times)
  }
  return { length, counts }
}

function eachCount(
  { counts }: UnitMatches,
  byTerm: ReadonlyMap<number, FileMatch>,
  each: (match: FileMatch, times: number) => void,
): void {
  for (let at = 0; at < counts.length; at += 2) {
    const match = byTerm.get(counts[at] ?? -1)
    if (match) each(match, counts[at + 1] ?? 0)
  }
}
