/** Writes the record of a file in a code index as bytes: its terms, and how often its units contain them. Searches records for terms. */

import { ByteReader, ByteWriter } from '../../retrieval/postings.ts'
import { type Definition, parseCode, type Unit } from '../definitions.ts'
import { foldName, hashOf, scanIdentifiers, termsOfWord } from './identifiers.ts'
import type { IndexedFile } from './index-file.ts'

/**
 * A record begins with numbers of 32 bits: how many terms, defined names and units it has; the hashes of its terms; the
 * hashes of its names. Parts of variable length follow: the path, the names, each unit. A part has its length in word
 * parts, its number of terms and, for each term, its frequency and the distance from the position of the previous term
 * in the list of terms.
 */
const HEADER_NUMBERS = 3

/** How often the name of a unit, and the name of its class, are counted in addition to the text of the unit. */
const NAME_COUNT = 2
const PARENT_COUNT = 3
/** Maximum stored frequency of a term in a part. */
const MAX_COUNT = 1000

type TermCounts = Map<number, number>

export function encodeRecord(path: string, text: string): Buffer {
  const { lines, definitions, units } = parseCode(path, text)
  const parts = [pathCounts(path), nameCounts(definitions), ...units.map((unit) => unitCounts(unit, lines))]
  const terms = [...new Set(parts.flatMap(({ counts }) => [...counts.keys()]))].sort((a, b) => a - b)
  const positions = new Map(terms.map((term, position) => [term, position]))
  const names = [...new Set(definitions.map(({ name }) => hashOf(foldName(name))))].sort((a, b) => a - b)
  const header = Uint32Array.from([terms.length, names.length, units.length, ...terms, ...names])
  const body = new ByteWriter()
  for (const { counts, length } of parts) {
    body.writeVarint(length)
    body.writeVarint(counts.size)
    let previous = 0
    for (const [position, count] of sortByPosition(counts, positions)) {
      body.writeVarint(position - previous)
      body.writeVarint(count)
      previous = position
    }
  }
  return Buffer.concat([Buffer.from(header.buffer), body.takeBytes()])
}

function sortByPosition(counts: TermCounts, positions: ReadonlyMap<number, number>): (readonly [number, number])[] {
  const pairs = [...counts].map(([term, count]) => [positions.get(term) ?? 0, Math.min(count, MAX_COUNT)] as const)
  return pairs.sort(([a], [b]) => a - b)
}

interface CountedPart {
  readonly counts: TermCounts
  readonly length: number
}

/** Counts the terms of a path: the terms of the file name twice, the terms of a directory once. */
function pathCounts(path: string): CountedPart {
  const slash = path.lastIndexOf('/') + 1
  const counts: TermCounts = new Map()
  const length = addText(counts, path.slice(0, slash), 1) + addText(counts, path.slice(slash).replace(/\.\w+$/, ''), 2)
  return { counts, length }
}

function nameCounts(definitions: readonly Definition[]): CountedPart {
  const counts: TermCounts = new Map()
  const length = definitions.reduce((sum, { name }) => sum + addText(counts, name, 1), 0)
  return { counts, length }
}

function unitCounts({ start, end, names, parent }: Unit, lines: readonly string[]): CountedPart {
  const counts: TermCounts = new Map()
  const length = addText(counts, lines.slice(start, end).join('\n'), 1)
  for (const name of names) addText(counts, name, NAME_COUNT)
  if (parent !== undefined) addText(counts, parent, PARENT_COUNT)
  return { counts, length }
}

/** Adds the terms of a text to the counts, `times` for each term. Returns the number of word parts in the text. */
function addText(counts: TermCounts, text: string, times: number): number {
  let length = 0
  const add = (term: number) => counts.set(term, (counts.get(term) ?? 0) + times)
  scanIdentifiers(text, (word) => {
    const { parts, whole } = termsOfWord(word)
    for (const part of parts) add(part)
    if (whole !== undefined) add(whole)
    length += parts.length
  })
  return length
}

/** The numbers at the beginning of a record, and a reader of its parts: see `HEADER_NUMBERS`. */
function openRecord(bytes: Uint8Array) {
  // The numbers must start at a multiple of four. The record of a new file may start anywhere, so it is copied.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const [termCount = 0, nameCount = 0, unitCount = 0] = new Uint32Array(buffer, byteOffset, HEADER_NUMBERS)
  return {
    terms: new Uint32Array(buffer, byteOffset + 4 * HEADER_NUMBERS, termCount),
    names: new Uint32Array(buffer, byteOffset + 4 * (HEADER_NUMBERS + termCount), nameCount),
    units: unitCount,
    reader: new ByteReader(bytes, 4 * (HEADER_NUMBERS + termCount + nameCount)),
  }
}

/** Maximum terms of a task, the weightiest first. Terms of less weight hardly change the scores. */
const MAX_TERMS = 600

/** The terms of a task. Each term has a number: 0 is the weightiest term. */
export class TermTable {
  readonly weights: readonly number[]
  /** The terms by number. */
  readonly terms: readonly number[]
  readonly #numbers: ReadonlyMap<number, number>
  /** The low 16 bits of every term, to skip most other terms without a look-up. */
  readonly #filter = new Uint8Array(0x10000)

  constructor(terms: ReadonlyMap<number, number>) {
    const heaviest = [...terms].sort(([, a], [, b]) => b - a).slice(0, MAX_TERMS)
    this.terms = heaviest.map(([term]) => term)
    this.weights = heaviest.map(([, weight]) => weight)
    this.#numbers = new Map(heaviest.map(([term], number) => [term, number]))
    for (const [term] of heaviest) this.#filter[term & 0xffff] = 1
  }

  /** The number of a term; undefined for a term that the task lacks. */
  numberOf(term: number): number | undefined {
    return this.#filter[term & 0xffff] === 1 ? this.#numbers.get(term) : undefined
  }
}

/** How often a term occurs in the path, the defined names and the units of a file. */
interface TermMatch {
  /** The number of the term. */
  readonly term: number
  path: number
  names: number
  body: number
}

export interface FileMatches {
  readonly matches: readonly TermMatch[]
  /** Number of word parts in the defined names, and in all units. */
  readonly nameLength: number
  readonly length: number
  readonly units: readonly UnitMatches[]
}

interface UnitMatches {
  readonly length: number
  /** Pairs in a flat list: the number of a term, then its frequency in the unit. */
  readonly counts: readonly number[]
}

export type RecordMatches = ReturnType<typeof matchRecords>

/**
 * Searches every record for the terms and the defined names. `files`: in the order of the records; undefined for a file without a match. `definers`:
 * the indexes of the files that define each name.
 */
export function matchRecords(files: readonly IndexedFile[], table: TermTable, names: ReadonlySet<number>) {
  const definers = new Map([...names].map((name) => [name, [] as number[]]))
  const filter = new Uint8Array(0x10000)
  for (const name of names) filter[name & 0xffff] = 1
  const matches = files.map(({ record }, index) => {
    const openedRecord = openRecord(record)
    for (const name of openedRecord.names) if (filter[name & 0xffff] === 1) definers.get(name)?.push(index)
    return matchRecord(openedRecord, table)
  })
  return { files: matches, definers }
}

function matchRecord({ terms, units: unitCount, reader }: ReturnType<typeof openRecord>, table: TermTable) {
  const termNumbers = new Int32Array(terms.length).fill(-1)
  const byTerm = new Map<number, TermMatch>()
  for (let position = 0; position < termNumbers.length; position++) {
    const term = table.numberOf(terms[position] ?? 0)
    if (term === undefined) continue
    termNumbers[position] = term
    byTerm.set(term, { term, path: 0, names: 0, body: 0 })
  }
  if (byTerm.size === 0) return undefined
  const path = readPart(reader, termNumbers)
  const names = readPart(reader, termNumbers)
  const units = Array.from({ length: unitCount }, () => readPart(reader, termNumbers))
  const add = ({ counts }: UnitMatches, field: 'path' | 'names' | 'body') => {
    for (let at = 0; at < counts.length; at += 2) {
      const match = byTerm.get(counts[at] ?? -1)
      if (match) match[field] += counts[at + 1] ?? 0
    }
  }
  add(path, 'path')
  add(names, 'names')
  for (const unit of units) add(unit, 'body')
  const length = units.reduce((sum, unit) => sum + unit.length, 0)
  return { matches: [...byTerm.values()], nameLength: names.length, length, units }
}

function readPart(reader: ByteReader, termNumbers: Int32Array): UnitMatches {
  const length = reader.readVarint()
  const counts: number[] = []
  let position = 0
  for (let remaining = reader.readVarint(); remaining > 0; remaining--) {
    position += reader.readVarint()
    const count = reader.readVarint()
    const term = termNumbers[position] ?? -1
    if (term >= 0) counts.push(term, count)
  }
  return { length, counts }
}
