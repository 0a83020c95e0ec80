/**
 * Reads and writes JSON, also Python's NaN and Infinity. Numbers that JavaScript would change keep their source text.
 */

import { BOUNDS } from '../../core/bounds.ts'
import { invalidInput } from '../../core/errors.ts'
import { decodeSegment } from '../../text/paths.ts'
import { quoteForeign } from '../names.ts'

/** Matches a number that JavaScript may print differently: with a point or exponent, with 16 digits or more, or -0. */
const INEXACT = /[\s:,[](?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * The value of a text. The last of equal keys wins, as in Python, and `__proto__` is a key like others.
 *
 * @throws SyntaxError when it is not JSON, or nested too deep.
 */
export function parseJson(text: string): Json {
  if (needsOwnReader(text)) return readJson(text)
  try {
    return JSON.parse(text)
  } catch {
    // `readJson` accepts NaN and Infinity. Its error messages do not depend on the engine.
    return readJson(text)
  }
}

/**
 * Whether `JSON.parse` may misread the text. Some engines misread keys if the text has escapes (nodejs/node#63785).
 * `INEXACT` misses a number that is the whole text. `JSON.parse` does not limit the depth.
 */
function needsOwnReader(text: string): boolean {
  if (!/^[{[]/.test(text) || text.includes('\\') || INEXACT.test(text)) return true
  return text.length > 2 * BOUNDS.jsonDepth && (text.match(/[{[]/g)?.length ?? 0) > BOUNDS.jsonDepth
}

/** The object of a text; undefined for another value. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Undoes percent-encoding, once: `%2525` is `%25`.
 *
 * @throws ContextError `invalid-input`: a `%` without two hex digits, or bytes that are not UTF-8.
 */
export function unescapeOnce(text: string, what: string): string {
  const badEscape = /%(?![0-9A-Fa-f]{2})/.exec(text)
  if (badEscape)
    throw invalidInput(
      `${what} ${quoteForeign(text)} has a "%" without two hex digits at ${badEscape.index}.`,
      'Write "%" as %25.',
    )
  const decoded = decodeSegment(text)
  if (decoded !== undefined) return decoded
  const message = `${what} ${quoteForeign(text)} is percent-encoded, but not as UTF-8.`
  throw invalidInput(message, 'Encode the bytes of UTF-8.')
}

/** As `unescapeOnce`, but `+` is a space. */
export function unescapeQuery(text: string, what: string): string {
  return unescapeOnce(text.replaceAll('+', ' '), what)
}

/** Percent-encodes a text so that `unescapeOnce` and `unescapeQuery` decode it. A lone surrogate has no UTF-8, and becomes U+FFFD. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** A number as its source text, such as `1.50`, `NaN` or a number of 30 digits. */
export class RawNumber {
  readonly rawJSON: string

  constructor(source: string) {
    this.rawJSON = source
  }

  /** The number as it was written; NaN and Infinity, which JSON does not have, as texts. */
  toJSON(): unknown {
    return /^-?\d/.test(this.rawJSON) ? RAW_JSON.rawJSON(this.rawJSON) : this.rawJSON
  }
}

/** `JSON` with a method that the types of the language lack. */
const RAW_JSON = JSON as unknown as { rawJSON(source: string): unknown }

export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** The number of a source text: a plain number if JavaScript prints the same text, else a `RawNumber`. */
function numberOf(source: string): number | RawNumber {
  const value = Number(source)
  return Number.isSafeInteger(value) && source === String(value) ? value : new RawNumber(source)
}

export function isRawNumber(value: Json | undefined): value is RawNumber {
  return value instanceof RawNumber
}

/** Whether a value is an object, and not an array or a `RawNumber`. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** Matches white space, and the next token, if any: a mark such as `{`, a string, a number or a word such as `true`. */
const TOKEN =
  /[ \t\n\r]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity)?/y

/**
 * Reads JSON token by token: all that `JSON.parse` accepts, and NaN and Infinity. Several times slower than
 * `JSON.parse`.
 *
 * @throws SyntaxError with the position.
 */
export function readJson(text: string): Json {
  return new JsonReader(text).readDocument()
}

/** The source text of each member's value, by key, in the order of the object. */
export type MemberTexts = ReadonlyMap<string, string>

/** The members of the JSON object in a text; empty for another value. @throws SyntaxError as `readJson`. */
export function memberTextsOf(text: string): MemberTexts {
  const memberTexts = new Map<string, string>()
  new JsonReader(text).readDocument(memberTexts)
  return memberTexts
}

/** The text of an object with changed members. An undefined member is removed. Unchanged members keep their source text. */
export function withMembers(members: MemberTexts, changes: Readonly<Record<string, string | undefined>>): string {
  const allMembers = [...new Map<string, string | undefined>([...members, ...Object.entries(changes)])]
  const texts = allMembers.flatMap(([key, source]) => (source === undefined ? [] : `${JSON.stringify(key)}: ${source}`))
  return `{${texts.join(', ')}}`
}

/** The text that Python's `json.dumps` writes for quilt3: `, ` and `: ` as separators, characters unescaped. */
export function pythonLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonLine).join(', ')}]`
  if (isRawNumber(value)) return value.rawJSON
  if (!isObject(value)) return JSON.stringify(value)
  return withMembers(new Map(Object.entries(value).map(([key, one]) => [key, pythonLine(one)])), {})
}

class JsonReader {
  readonly #text: string
  /** Start of the last token, and the position after it. */
  #tokenStart = 0
  #tokenEnd = 0

  constructor(text: string) {
    this.#text = text
  }

  /** @param memberTexts receives the members of the outermost object. */
  readDocument(memberTexts?: Map<string, string>): Json {
    const value = this.#value(this.#next(), 0, memberTexts)
    this.#read()
    if (this.#tokenStart < this.#text.length) throw this.#unexpected()
    return value
  }

  #next(): string {
    const token = this.#read()
    if (token === '') throw this.#unexpected()
    return token
  }

  /** Reads the next token; `''` if none follows. */
  #read(): string {
    TOKEN.lastIndex = this.#tokenEnd
    const token = TOKEN.exec(this.#text)?.[1] ?? ''
    this.#tokenEnd = TOKEN.lastIndex
    this.#tokenStart = this.#tokenEnd - token.length
    return token
  }

  #value(token: string, depth: number, memberTexts?: Map<string, string>): Json {
    if (token === '{' || token === '[') {
      if (depth >= BOUNDS.jsonDepth)
        throw new SyntaxError(`more than ${BOUNDS.jsonDepth} arrays and objects are nested`)
      return token === '{' ? this.#object(depth + 1, memberTexts) : this.#array(depth + 1)
    }
    if (token.startsWith('"')) return this.#string(token)
    if (/^[tfn]/.test(token)) return JSON.parse(token)
    if (!/^(?:-?\d|NaN|-?Infinity)/.test(token)) throw this.#unexpected()
    return numberOf(token)
  }

  #object(depth: number, memberTexts?: Map<string, string>): Json {
    const members: [string, Json][] = []
    this.#items('}', (token) => {
      if (!token.startsWith('"')) throw this.#unexpected()
      const key = this.#string(token)
      if (this.#next() !== ':') throw this.#unexpected()
      const firstToken = this.#next()
      const valueStart = this.#tokenStart
      members.push([key, this.#value(firstToken, depth)])
      memberTexts?.set(key, this.#text.slice(valueStart, this.#tokenEnd))
    })
    // Defines keys instead of setting them, so that `__proto__` can be a key.
    return Object.fromEntries(members)
  }

  #array(depth: number): Json {
    const items: Json[] = []
    this.#items(']', (token) => items.push(this.#value(token, depth)))
    return items
  }

  /** Reads items with commas between them. `readItem` receives the first token of each item. */
  #items(endMark: string, readItem: (token: string) => void): void {
    let token = this.#next()
    if (token === endMark) return
    for (;;) {
      readItem(token)
      const separator = this.#next()
      if (separator === endMark) return
      if (separator !== ',') throw this.#unexpected()
      token = this.#next()
    }
  }

  /** Parses a string with `JSON.parse`, which reads a single string correctly, whatever its escapes. */
  #string(quoted: string): string {
    try {
      return JSON.parse(quoted)
    } catch {
      throw this.#unexpected()
    }
  }

  #unexpected(): SyntaxError {
    const character = this.#text[this.#tokenStart]
    if (character === undefined) return new SyntaxError('it ends too early')
    return new SyntaxError(`unexpected ${JSON.stringify(character)} at character ${this.#tokenStart + 1}`)
  }
}
