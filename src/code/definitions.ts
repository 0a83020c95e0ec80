/** Parses a code file into lines, definitions and units. */

import { languageOf } from './languages.ts'
import { type Definition, type DefinitionKind, findDefinitions } from './parse/definition-scan.ts'

export type { Definition } from './parse/definition-scan.ts'

export interface ParsedFile {
  readonly lines: readonly string[]
  readonly definitions: readonly Definition[]
  readonly units: readonly Unit[]
}

/** The head of a definition: its first line, and further lines until the brackets are closed. */
export interface Signature {
  /** The number of its first line, from 0. */
  readonly line: number
  readonly name: string
  readonly kind: Definition['kind']
  /** The head in one line, with the indentation of its first line. */
  readonly text: string
}

/** Maximum lines and characters of a head. A longer head is cut. */
const MAX_HEAD_LINES = 8
const MAX_HEAD_LENGTH = 160

/** The heads of a file's definitions, in order, without constants. */
export function signaturesOf({ lines, definitions }: Pick<ParsedFile, 'lines' | 'definitions'>): Signature[] {
  return definitions.flatMap(({ line, end, name, kind }) =>
    kind === 'constant' || name === '' ? [] : [{ line, name, kind, text: headText(lines, line, end) }],
  )
}

/** The text of a head in one line. `from`: the line of the definition. `end`: the line after the definition. */
function headText(lines: readonly string[], from: number, end: number): string {
  const first = lines[from] ?? ''
  let text = first.trim()
  for (let at = from + 1; at < Math.min(end, from + MAX_HEAD_LINES) && isOpenHead(text); at++)
    text = `${text} ${(lines[at] ?? '').trim()}`
  const head = text.replace(/(?:\{|=>|=)$/, '').trimEnd()
  const indent = first.slice(0, first.length - first.trimStart().length)
  return indent + (head.length > MAX_HEAD_LENGTH ? `${head.slice(0, MAX_HEAD_LENGTH)}…` : head)
}

function isOpenHead(text: string): boolean {
  return text.length <= MAX_HEAD_LENGTH && text.split('(').length > text.split(')').length
}

/** Lines, definitions and units of a text. */
export function parseCode(path: string, text: string): ParsedFile {
  const lines = text.split(/\r\n?|\n/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const definitions = findDefinitions(lines, languageOf(path)?.grammar ?? 'none')
  return { lines, definitions, units: splitUnits(lines, definitions) }
}

/** Lines that belong together. Each line of a file is in exactly one unit. */
export interface Unit {
  /** The first line, from 0. */
  readonly start: number
  /** The line after the last line. */
  readonly end: number
  /** The names that the unit defines, in order. */
  readonly names: readonly string[]
  readonly kind?: DefinitionKind
  /** The name of the definition around the unit. */
  readonly parent?: string
}

/** Maximum lines of a function that is one unit; lines of a unit in a longer function and between definitions. */
const MAX_FUNCTION_LINES = 160
const FUNCTION_PART_LINES = 120
const MODULE_PART_LINES = 60
/** Maximum lines of a definition, such as a constant or a type, that joins its neighbours. */
const MAX_JOINED_LINES = 4
/** Maximum lines without definitions that join the unit before them. */
const MAX_GAP_LINES = 3

/** Divides the lines of a file into units: functions, heads of classes, and the lines between them. */
function splitUnits(lines: readonly string[], definitions: readonly Definition[]): Unit[] {
  /** The inner definitions, by the index of the outer definition; -1 is the file. */
  const children = Map.groupBy(definitions.entries(), ([, { parent }]) => parent)
  const units: Unit[] = []
  const parentOf = (owner: number) => {
    const parent = definitions[owner]?.name
    return parent === undefined ? {} : { parent }
  }
  const extendLast = (end: number) => {
    const last = units.pop()
    if (last) units.push({ ...last, end })
  }
  /** Adds the units between two lines of a definition. `owner`: the index of the definition; -1 for the file. */
  const addBetween = (from: number, to: number, owner: number) => {
    let at = from
    for (const [index, child] of children.get(owner) ?? []) {
      const start = Math.max(at, child.start)
      addGap(at, start, owner)
      addDefinition(child, index, start)
      at = child.end
    }
    addGap(at, to, owner)
  }
  const addDefinition = (definition: Definition, index: number, start: number) => {
    const { name, kind, end, parent } = definition
    const unit = { names: [name], kind, ...parentOf(parent) }
    const [firstChild] = children.get(index) ?? []
    if (firstChild) {
      const headEnd = Math.min(end, Math.max(start + 1, firstChild[1].start))
      units.push({ start, end: headEnd, ...unit })
      addBetween(headEnd, end, index)
    } else if (end - start <= MAX_JOINED_LINES && kind !== 'function' && kind !== 'method') joinOrAdd(definition, start)
    else {
      const isLong = end - start > MAX_FUNCTION_LINES
      const parts = isLong ? divideLines(lines, [start, end], FUNCTION_PART_LINES) : [[start, end] as const]
      for (const [from, to] of parts) units.push({ start: from, end: to, ...unit })
    }
  }
  /** Joins a short constant or type with the unit before it if both fit into one unit; otherwise adds a unit for it. */
  const joinOrAdd = ({ name, kind, parent, end }: Definition, start: number) => {
    const last = units.at(-1)
    const parentName = definitions[parent]?.name
    const fits = last !== undefined && end - last.start <= MODULE_PART_LINES
    // Fields belong to the head of their class.
    if (last?.kind && fits && parentName !== undefined && last.names[0] === parentName) extendLast(end)
    else if (last && fits && last.kind === undefined && last.parent === parentName)
      units[units.length - 1] = { ...last, end, names: [...last.names, name] }
    else units.push({ start, end, names: [name], ...(kind === 'section' ? { kind } : parentOf(parent)) })
  }
  /** Adds lines without definitions. A few lines, or only blank lines, join the unit before them. */
  const addGap = (from: number, to: number, owner: number) => {
    if (to <= from) return
    const isSmallGap = to - from <= MAX_GAP_LINES || lines.slice(from, to).every(isBlank)
    if (units.length > 0 && isSmallGap) extendLast(to)
    else
      for (const [start, end] of divideLines(lines, [from, to], MODULE_PART_LINES))
        units.push({ start, end, names: [], ...parentOf(owner) })
  }
  addBetween(0, lines.length, -1)
  return units
}

const isBlank = (line: string) => line.trim() === ''

/** Divides the lines `from` to `to` into ranges of about `size` lines, after a blank line if possible. */
function divideLines(lines: readonly string[], [from, to]: readonly [number, number], size: number) {
  const parts: (readonly [number, number])[] = []
  for (let start = from; start < to; ) {
    const minEnd = start + size * 0.7
    const lastBlank = lines.slice(minEnd, start + size).findLastIndex(isBlank)
    const end = to - start <= size * 1.3 ? to : lastBlank < 0 ? start + size : minEnd + lastBlank + 1
    parts.push([start, end])
    start = end
  }
  return parts
}
