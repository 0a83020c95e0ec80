import { isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, type YAMLMap } from 'yaml'
import { BOUNDS } from '../core/bounds.ts'
import { readSimpleMatter } from './front-matter.ts'
import { byteEnd } from './truncate.ts'

/**
 * Maximum size of the values, in characters plus nodes, as a multiple of the length of the front matter. Without
 * aliases, values never exceed twice this length.
 */
const LARGEST_GROWTH = 4

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const PLAIN_LINE = /^([^\s#:'"[{-][^:]*):(?:[ \t](.*))?$/s
/** Maximum number of duplicate keys in a warning, and characters of each. */
const MAX_NAMED = 5
const LONGEST_NAME = 40

interface MatterReader {
  readonly anchors: Map<string, unknown>
  readonly warnings: string[]
  /** Keys that a map has more than once. */
  readonly duplicateKeys: Set<string>
  /** Size, in characters plus nodes, that further values may take. */
  remainingSize: number
}

/** Thrown when aliases make the values too large. */
class TooLarge extends Error {}

/**
 * The keys and values of front matter. A duplicate key has its last value. Invalid YAML is read as plain `key: value`
 * lines with values as written. Executes nothing and never throws: warnings report problems.
 *
 * @returns `values`: by key, as YAML 1.2 values; `__proto__` is a key like any other. `metadata`: by key, strings as
 * they are, other values as JSON text, with the digits of numbers as written.
 */
export function parseFrontMatter(matter: string) {
  if (byteEnd(matter, 0, BOUNDS.frontMatter) < matter.length) {
    return frontMatter(new Map(), [`The front matter takes more than ${BOUNDS.frontMatter} bytes: it is not read.`])
  }
  const simple = readSimpleMatter(matter)
  if (simple) return frontMatter(simple, [])
  const remainingSize = LARGEST_GROWTH * matter.length
  const reader: MatterReader = { anchors: new Map(), warnings: [], duplicateKeys: new Set(), remainingSize }
  try {
    const json = readDocument(matter, reader)
    const values = new Map([...json].map(([key, text]): [string, unknown] => [key, JSON.parse(text)]))
    return frontMatter(values, warningsOf(reader), json)
  } catch (error) {
    if (error instanceof TooLarge)
      return frontMatter(new Map(), ['The front matter is not read: its aliases expand to too much.'])
    return readPlainMatter(matter, error instanceof Error ? error.message : String(error))
  }
}

function readPlainMatter(matter: string, reason: string) {
  const duplicateKeys = new Set<string>()
  const values = new Map<string, string>()
  for (const line of matter.split(/\r\n?|\n/)) {
    const [, name, value = ''] = PLAIN_LINE.exec(line) ?? []
    if (name === undefined) continue
    const key = name.trimEnd()
    if (values.has(key)) duplicateKeys.add(key)
    values.set(key, value.trim())
  }
  const warning = `The front matter is not valid YAML, and is read as plain "key: value" lines: ${reason}`
  return frontMatter(values, warningsOf({ warnings: [warning], duplicateKeys }))
}

function warningsOf({ warnings, duplicateKeys }: Pick<MatterReader, 'warnings' | 'duplicateKeys'>): string[] {
  const names = [...duplicateKeys].slice(0, MAX_NAMED).map((key) => key.slice(0, LONGEST_NAME))
  return [...warnings, ...names.map((key) => `The front matter has the key "${key}" twice: the last one counts.`)]
}

/** The result of reading front matter. `json`: the JSON text of each value, with numbers as they were written (`1.0`). */
function frontMatter(values: ReadonlyMap<string, unknown>, warnings: string[], json?: ReadonlyMap<string, string>) {
  const textOf = (key: string, value: unknown) =>
    typeof value === 'string' ? value : (json?.get(key) ?? JSON.stringify(value))
  const texts = [...values].map(([key, value]) => [key, textOf(key, value)] as const)
  return { values, metadata: Object.fromEntries(texts), warnings }
}

/** The values as JSON text, by key. @throws Error for invalid YAML; TooLarge. */
function readDocument(matter: string, reader: MatterReader): Map<string, string> {
  const document = parseDocument(matter, { uniqueKeys: false, resolveKnownTags: false, prettyErrors: false })
  const [error] = document.errors
  if (error) {
    const line = matter.slice(0, error.pos[0]).split(/\r\n?|\n/).length
    throw new Error(`${error.message} (line ${line})`)
  }
  if (document.warnings.some(({ code }) => code === 'TAG_RESOLVE_FAILED'))
    reader.warnings.push('The front matter has unknown tags: their values are read without them.')
  const root = document.contents
  if (isMap(root)) return readEntries(root, reader)
  if (root !== null && !(isScalar(root) && root.value === null)) reader.warnings.push('The front matter holds no keys.')
  return new Map()
}

function readEntries(map: YAMLMap, reader: MatterReader): Map<string, string> {
  const entries = new Map<string, string>()
  for (const pair of map.items) {
    const name = readNode(pair.key, reader)
    const key: string = name.startsWith('"') ? JSON.parse(name) : name
    if (entries.has(key)) reader.duplicateKeys.add(key)
    entries.set(key, readNode(pair.value, reader))
  }
  return entries
}

/** A node as JSON text. */
function readNode(node: unknown, reader: MatterReader): string {
  countSize(reader, 1)
  if (isAlias(node)) {
    if (!reader.anchors.has(node.source)) throw new Error(`The alias *${node.source} has no anchor.`)
    return readNode(reader.anchors.get(node.source), reader)
  }
  const json = jsonOf(node, reader)
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) reader.anchors.set(node.anchor, node)
  return json
}

function jsonOf(node: unknown, reader: MatterReader): string {
  if (isScalar(node)) return scalarJson(node, reader)
  if (isSeq(node)) return `[${node.items.map((item) => readNode(item, reader)).join(',')}]`
  if (!isMap(node)) return 'null'
  const members = [...readEntries(node, reader)].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
  return `{${members.join(',')}}`
}

function scalarJson({ value, source }: Scalar, reader: MatterReader): string {
  const text = source ?? String(value)
  countSize(reader, text.length)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && JSON_NUMBER.test(text)) return text
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  // Infinity and NaN, which JSON does not have, become texts, as written.
  return JSON.stringify(typeof value === 'string' ? value : text)
}

function countSize(reader: MatterReader, cost: number): void {
  reader.remainingSize -= cost
  if (reader.remainingSize < 0) throw new TooLarge()
}
