/** Parses a code file into lines, definitions and units. */

import { languageOf } from './languages.ts'
import { type Definition, type DefinitionKind, findDefinitions } from './parse/definition-scan.ts'

export type { Definition } from './parse/definition-scan.ts'

/** A parsed file. */
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
  /** The head in one line, with the indentation of its first. */
  readonly text: string
}

/** Maximum lines and characters of a whole head. */
const MOST_HEAD_LINES = 8
const LONGEST_HEAD = 160

/** The heads of a file's definitions, in order, without constants. */
export function signaturesOf({ lines, definitions }: Pick<ParsedFile, 'lines' | 'definitions'>): Signature[] {
  return definitions.flatMap(({ line, end, name, kind }) =>
    kind === 'constant' || name === '' ? [] : [{ line, name, kind, text: headText(lines, line, end) }],
  )
}

/** The head up to the line that closes the brackets of the first. */
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

/** Lines that belong together. The units of a file tile it. */
export interface Unit {
  /** From 0. */
  readonly start: number
  /** The line after the last. */
  readonly end: number
  /** The names that it defines, in order. */
  readonly names: readonly string[]
  readonly kind?: DefinitionKind
  /** The name of the definition around it. */
  readonly parent?: string
}

/** Maximum lines of a function in one unit, of each part of a longer one, and of code without definitions. */
const LONGEST_FUNCTION = 160
const FUNCTION_PART = 120
const MODULE_PART = 60
/** Maximum lines of a definition (constant, type) that joins its neighbours. */
const SMALL = 4
/** Maximum lines that are no unit of their own. */
const SCRAP = 3

/** Divides the lines of a file into units: functions, heads of classes, and the lines between. */
function splitUnits(lines: readonly string[], definitions: readonly Definition[]): Unit[] {
  const children = Map.groupBy(definitions.keys(), (index) => definitions[index]?.parent ?? -1)
  const split = new UnitSplit(lines, definitions, children)
  split.addWithin(0, lines.length, -1)
  return split.units
}

class UnitSplit {
  readonly units: Unit[] = []
  readonly #lines: readonly string[]
  readonly #definitions: readonly Definition[]
  /** The inner definitions by index of the outer one; -1 is the file. */
  readonly #children: ReadonlyMap<number, readonly number[]>

  constructor(
    lines: readonly string[],
    definitions: readonly Definition[],
    children: ReadonlyMap<number, readonly number[]>,
  ) {
    this.#lines = lines
    this.#definitions = definitions
    this.#children = children
  }

  /** Divides the lines from `from` to `to` of a definition, or of the file. */
  addWithin(from: number, to: number, owner: number): void {
    let at = from
    for (const index of this.#children.get(owner) ?? []) {
      const child = this.#definitions[index]
      const start = Math.max(at, child?.start ?? 0)
      if (!child || child.end <= start) continue
      this.#addGap(at, start, owner)
      this.#addDefinition(child, index, start)
      at = child.end
    }
    this.#addGap(at, to, owner)
  }

  #addDefinition(definition: Definition, index: number, start: number): void {
    const { name, kind, end } = definition
    const parent = this.#definitions[definition.parent]?.name
    const within = parent === undefined ? {} : { parent }
    if (this.#children.has(index)) {
      const child = this.#definitions[this.#children.get(index)?.[0] ?? -1]
      const first = Math.min(end, Math.max(start + 1, child?.start ?? end))
      this.units.push({ start, end: first, names: [name], kind, ...within })
      this.addWithin(first, end, index)
    } else if (end - start <= SMALL && kind !== 'function' && kind !== 'method') this.#addSmall(definition, start)
    else {
      const isLong = end - start > LONGEST_FUNCTION
      for (const [from, to] of isLong ? this.#parts(start, end, FUNCTION_PART) : [[start, end] as const]) {
        this.units.push({ start: from, end: to, names: [name], kind, ...within })
      }
    }
  }

  /** Joins a constant or a type of a few lines with those before it. */
  #addSmall({ name, kind, parent, end }: Definition, start: number): void {
    const last = this.units.at(-1)
    const within = this.#definitions[parent]?.name
    const fits = last !== undefined && end - last.start <= MODULE_PART
    // Fields belong to the head of their class.
    if (last?.kind && fits && within !== undefined && last.names[0] === within) this.#extendLast(end)
    else if (last && fits && last.kind === undefined && last.parent === within)
      this.units[this.units.length - 1] = { ...last, end, names: [...last.names, name] }
    else if (kind === 'section') this.units.push({ start, end, names: [name], kind })
    else this.units.push({ start, end, names: [name], ...(within !== undefined && { parent: within }) })
  }

  /** Adds lines without definitions. A few of them join the unit before. */
  #addGap(from: number, to: number, owner: number): void {
    if (to <= from) return
    const last = this.units.at(-1)
    const isScrap = to - from <= SCRAP || this.#isBlank(from, to)
    if (last && isScrap) this.#extendLast(to)
    else {
      const parent = this.#definitions[owner]?.name
      for (const [start, end] of this.#parts(from, to, MODULE_PART)) {
        this.units.push({ start, end, names: [], ...(parent !== undefined && { parent }) })
      }
    }
  }

  #extendLast(end: number): void {
    const last = this.units.pop()
    if (last) this.units.push({ ...last, end })
  }

  #isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if ((this.#lines[at] ?? '').trim() !== '') return false
    return true
  }

  /** Adds parts of about `size` lines, divided at near blank lines. */
  #parts(from: number, to: number, size: number): (readonly [number, number])[] {
    const parts: (readonly [number, number])[] = []
    for (let start = from; start < to; ) {
      const end = to - start <= size * 1.3 ? to : this.#blankNear(start + size, start + size * 0.7)
      parts.push([start, end])
      start = end
    }
    return parts
  }

  #blankNear(line: number, least: number): number {
    for (let at = line; at > least; at--) if ((this.#lines[at - 1] ?? '').trim() === '') return at
    return line
  }
}
