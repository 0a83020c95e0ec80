import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, type YAMLMap } from 'yaml'
import { BOUNDS } from '../core/bounds.ts'
import { readSimple } from './front-matter.ts'
import { byteEnd } from './truncate.ts'

/** Front matter, read. */
export interface FrontMatter {
  /** By key, as YAML 1.2 has them. Objects have own keys only, `__proto__` among them. */
  readonly values: ReadonlyMap<string, unknown>
  /** Strings as they are, other values as JSON text, in which numbers keep their digits. */
  readonly metadata: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** Characters and nodes that the values may come to for each character of the matter; without aliases it is at most 2. */
const LARGEST_GROWTH = 4

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const PLAIN_LINE = /^([^\s#:'"[{-][^:]*):(?:[ \t](.*))?$/s
/** Keys there twice that are named in warnings, and characters of each. */
const MOST_NAMED = 5
const LONGEST_NAME = 40

interface Value {
  readonly value: unknown
  readonly json: string
}

interface Reading {
  readonly anchors: Map<string, unknown>
  readonly warnings: string[]
  /** Keys that a map holds more than once. */
  readonly twice: Set<string>
  /** Remaining size of the values. */
  left: number
}

/** Thrown when aliases make the values too large. */
class TooLarge extends Error {}

/**
 * The keys and values of front matter. A key that is there twice has its last value. What is not valid YAML is read as
 * plain `key: value` lines, values as written. Nothing is executed, and nothing throws: warnings say what was done.
 */
export function parseFrontMatter(matter: string): FrontMatter {
  if (byteEnd(matter, 0, BOUNDS.frontMatter) < matter.length) {
    return frontMatter(new Map(), [`The front matter takes more than ${BOUNDS.frontMatter} bytes: it is not read.`])
  }
  const simple = readSimple(matter)
  if (simple) {
    const entries = [...simple].map(([key, value]) => [key, { value, json: JSON.stringify(value) }] as const)
    return frontMatter(new Map(entries), [])
  }
  const reading: Reading = { anchors: new Map(), warnings: [], twice: new Set(), left: LARGEST_GROWTH * matter.length }
  try {
    return frontMatter(readDocument(matter, reading), warningsOf(reading))
  } catch (error) {
    if (error instanceof TooLarge)
      return frontMatter(new Map(), ['The front matter is not read: its aliases expand to too much.'])
    return readPlainMatter(matter, error instanceof Error ? error.message : String(error))
  }
}

function readPlainMatter(matter: string, reason: string): FrontMatter {
  const twice = new Set<string>()
  const entries = readLines(matter, twice)
  const warning = `The front matter is not valid YAML, and is read as plain "key: value" lines: ${reason}`
  return frontMatter(entries, warningsOf({ warnings: [warning], twice }))
}

function warningsOf({ warnings, twice }: Pick<Reading, 'warnings' | 'twice'>): string[] {
  const named = [...twice].slice(0, MOST_NAMED).map((key) => key.slice(0, LONGEST_NAME))
  return [...warnings, ...named.map((key) => `The front matter has the key "${key}" twice: the last one counts.`)]
}

function frontMatter(entries: ReadonlyMap<string, Value>, warnings: readonly string[]): FrontMatter {
  const texts = [...entries].map(([key, { value, json }]) => [key, typeof value === 'string' ? value : json] as const)
  return {
    values: new Map([...entries].map(([key, { value }]) => [key, value])),
    metadata: Object.fromEntries(texts),
    warnings,
  }
}

/** @throws Error when it is not YAML; TooLarge. */
function readDocument(matter: string, reading: Reading): ReadonlyMap<string, Value> {
  const document = parseDocument(matter, {
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
  })
  const [error] = document.errors
  if (error) throw new Error(`${error.message} (line ${lineNumber(matter, error.pos[0])})`)
  reading.warnings.push(...tagWarnings(document))
  const root = document.contents
  if (root === null || (isScalar(root) && root.value === null)) return new Map()
  if (isMap(root)) return readEntries(root, reading)
  reading.warnings.push('The front matter holds no keys.')
  return new Map()
}

function lineNumber(matter: string, offset: number): number {
  return matter.slice(0, offset).split(/\r\n?|\n/).length
}

function tagWarnings(document: Document): string[] {
  return document.warnings.some(({ code }) => code === 'TAG_RESOLVE_FAILED')
    ? ['The front matter has unknown tags: their values are read without them.']
    : []
}

function readYamlNode(node: unknown, reading: Reading): Value {
  spend(reading, 1)
  if (isAlias(node)) return readYamlNode(resolveAlias(node.source, reading), reading)
  const value = readNode(node, reading)
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) reading.anchors.set(node.anchor, node)
  return value
}

function resolveAlias(name: string, { anchors }: Reading): unknown {
  if (!anchors.has(name)) throw new Error(`The alias *${name} has no anchor.`)
  return anchors.get(name)
}

function readNode(node: unknown, reading: Reading): Value {
  if (isScalar(node)) return readScalar(node, reading)
  if (isMap(node)) {
    const entries = [...readEntries(node, reading)]
    const members = entries.map(([key, { json }]) => `${JSON.stringify(key)}:${json}`)
    return {
      value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
      json: `{${members.join(',')}}`,
    }
  }
  if (!isSeq(node)) return { value: null, json: 'null' }
  const items = node.items.map((item) => readYamlNode(item, reading))
  return { value: items.map(({ value }) => value), json: `[${items.map(({ json }) => json).join(',')}]` }
}

function readEntries(map: YAMLMap, reading: Reading): Map<string, Value> {
  const entries = new Map<string, Value>()
  for (const pair of map.items) {
    const key = mapKey(pair.key, reading)
    if (entries.has(key)) reading.twice.add(key)
    entries.set(key, readYamlNode(pair.value, reading))
  }
  return entries
}

function mapKey(node: unknown, reading: Reading): string {
  const { value, json } = readYamlNode(node, reading)
  return typeof value === 'string' ? value : json
}

function readScalar({ value, source }: Scalar, reading: Reading): Value {
  const written = source ?? String(value)
  spend(reading, written.length)
  if (typeof value === 'number') return readNumber(value, written)
  if (value === null || typeof value === 'boolean') return { value, json: String(value) }
  const text = typeof value === 'string' ? value : written
  return { value: text, json: JSON.stringify(text) }
}

/** JSON has no infinity and no NaN: they stay as written. */
function readNumber(value: number, written: string): Value {
  if (JSON_NUMBER.test(written)) return { value, json: written }
  return Number.isFinite(value) ? { value, json: String(value) } : { value: written, json: JSON.stringify(written) }
}

function spend(reading: Reading, cost: number): void {
  reading.left -= cost
  if (reading.left < 0) throw new TooLarge()
}

function readLines(matter: string, twice: Set<string>): Map<string, Value> {
  const entries = new Map<string, Value>()
  for (const line of matter.split(/\r\n?|\n/)) {
    const [, name, written = ''] = PLAIN_LINE.exec(line) ?? []
    if (name === undefined) continue
    const key = name.trimEnd()
    if (entries.has(key)) twice.add(key)
    const value = written.trim()
    entries.set(key, { value, json: JSON.stringify(value) })
  }
  return entries
}
