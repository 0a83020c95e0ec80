/** A file of code taken apart: its lines, what it defines, and its units. */

import { languageOf } from './languages.ts'
import { type Definition, findDefinitions } from './parse/definition-scan.ts'
import { splitUnits, type Unit } from './parse/units.ts'

export type { Definition } from './parse/definition-scan.ts'
export type { Unit } from './parse/units.ts'

/** A file taken apart. */
export interface ParsedFile {
  readonly lines: readonly string[]
  readonly definitions: readonly Definition[]
  readonly units: readonly Unit[]
}

/** The head of a definition. */
export interface Signature {
  /** From 0. */
  readonly line: number
  readonly name: string
  readonly kind: Definition['kind']
  /** In one line, with the indentation of its first. */
  readonly text: string
}

/** Lines and characters of the longest head that is shown whole. */
const MOST_HEAD_LINES = 8
const LONGEST_HEAD = 160

/** The heads of what a file defines, in order; without its constants. */
export function signaturesOf({ lines, definitions }: Pick<ParsedFile, 'lines' | 'definitions'>): Signature[] {
  return definitions.flatMap(({ line, end, name, kind }) =>
    kind === 'constant' || name === '' ? [] : [{ line, name, kind, text: headText(lines, line, end) }],
  )
}

/** Up to the line that closes the brackets of the first. */
function headText(lines: readonly string[], from: number, end: number): string {
  const first = lines[from] ?? ''
  let text = first.trim()
  for (let at = from + 1; at < Math.min(end, from + MOST_HEAD_LINES) && isOpenHead(text); at++)
    text = `${text} ${(lines[at] ?? '').trim()}`
  const head = text.replace(/(?:\{|=>|=)$/, '').trimEnd()
  const indent = first.slice(0, first.length - first.trimStart().length)
  return indent + (head.length > LONGEST_HEAD ? `${head.slice(0, LONGEST_HEAD)}…` : head)
}

function isOpenHead(text: string): boolean {
  return text.length <= LONGEST_HEAD && text.split('(').length > text.split(')').length
}

/** Lines, definitions and units of a text. */
export function parseCode(path: string, text: string): ParsedFile {
  const lines = text.split(/\r\n?|\n/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const definitions = findDefinitions(lines, languageOf(path)?.grammar ?? 'none')
  return { lines, definitions, units: splitUnits(lines, definitions) }
}
