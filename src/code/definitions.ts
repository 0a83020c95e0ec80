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

/** Lines, definitions and units of a text. */
export function parseCode(path: string, text: string): ParsedFile {
  const lines = text.split(/\r\n?|\n/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const definitions = findDefinitions(lines, languageOf(path)?.grammar ?? 'none')
  return { lines, definitions, units: splitUnits(lines, definitions) }
}
