/** JSON as it was written: what a JavaScript number cannot give back digit by digit stays as its source text. */

import { BOUNDS } from '../../core/bounds.ts'
import { invalidInput } from '../../core/errors.ts'
import { quoteForeign } from '../names.ts'

/** Numbers that print otherwise than they are written, or may: with point or exponent, of 16 digits or more, and -0. */
const INEXACT = /[\s:,[](?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * The value of a text. The last of equal keys wins, as in Python, and `__proto__` is a key like others.
 *
 * @throws SyntaxError when it is not JSON, or nested too deep.
 */
export function parseJson(text: string): Json {
  if (isSubtle(text)) return readJson(text)
  const value = parseJsonText(text)
  // Each level takes a bracket at either end.
  if (text.length > 2 * BOUNDS.jsonDepth && jsonDepth(value) > BOUNDS.jsonDepth)
    throw new SyntaxError(`more than ${BOUNDS.jsonDepth} arrays and objects are within each other`)
  return value
}

/** What is wrong is told in our own words: those of the engines differ, and count the lines of this text alone. */
function parseJsonText(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return readJson(text)
  }
}

/**
 * Whether `JSON.parse` may read it wrong. Of what is escaped, the engines this runs on give some keys a wrong name
 * (nodejs/node#63785); and a number that is all of a text has nothing before it to tell it by.
 */
function isSubtle(text: string): boolean {
  return !/^[{[]/.test(text) || text.includes('\\') || INEXACT.test(text)
}

/**
 * Undoes percent-encoding, once: `%2525` is `%25`.
 *
 * @throws ContextError `invalid-input`: a `%` without two hex digits, or bytes that are no UTF-8.
 */
export function unescapeOnce(text: string, what: string): string {
  const loose = /%(?![0-9A-Fa-f]{2})/.exec(text)
  if (loose)
    throw invalidInput(
      `${what} ${quoteForeign(text)} has a "%" without two hex digits at ${loose.index}.`,
      'Write "%" as %25.',
    )
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause
    throw invalidInput(
      `${what} ${quoteForeign(text)} is percent-encoded, but not as UTF-8.`,
      'Encode the bytes of UTF-8.',
    )
  }
}

/** As in a query: `+` is a space. */
export function unescapeQuery(text: string, what: string): string {
  return unescapeOnce(text.replaceAll('+', ' '), what)
}

/** Percent-encoded so that both kinds of decoding give it back. A lone surrogate has no UTF-8, and becomes U+FFFD. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** A number by its source text. `JSON.stringify` prints it as it was written. */
export interface RawNumber {
  readonly rawJSON: string
}

export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** What the language has and its types do not know yet. */
interface WithRaw {
  rawJSON(source: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

const RAW = JSON as unknown as WithRaw

/** A number by its source: plain where that says the same. */
export function numberOf(source: string): number | RawNumber {
  const value = Number(source)
  return Number.isSafeInteger(value) && source === String(value) ? value : RAW.rawJSON(source)
}

export function isRawNumber(value: Json | undefined): value is RawNumber {
  return RAW.isRawJSON(value)
}

/** An object, neither an array nor a number by its source. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** Arrays and objects within each other; a little over `BOUNDS.jsonDepth` at most. Level by level: a stack may not hold them. */
export function jsonDepth(value: Json): number {
  let depth = 0
  for (let level = nestedValues([value]); level.length > 0 && depth <= BOUNDS.jsonDepth; depth++) {
    level = level.flatMap((one) => nestedValues(Object.values<Json>(one)))
  }
  return depth
}

function nestedValues(values: readonly Json[]): (JsonObject | readonly Json[])[] {
  return values.filter((value) => typeof value === 'object' && value !== null) as (JsonObject | readonly Json[])[]
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Reads JSON by hand, number by number and key by key. It takes what `JSON.parse` takes, and is several times slower.
 *
 * @throws SyntaxError that says where.
 */
export function readJson(text: string): Json {
  const reader = new JsonReader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

class JsonReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Json {
    this.#match(SPACE)
    const value = this.#any(depth)
    this.#match(SPACE)
    return value
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#unexpected()
  }

  #any(depth: number): Json {
    if (this.#takes('{')) return this.#object(nextDepth(depth))
    if (this.#takes('[')) return this.#array(nextDepth(depth))
    if (this.#text[this.#at] === '"') return this.#string()
    for (const [word, value] of WORDS) if (this.#takes(word)) return value
    const number = this.#match(NUMBER)
    if (number === '') throw this.#unexpected()
    return numberOf(number)
  }

  #object(depth: number): Json {
    const members: [string, Json][] = []
    this.#match(SPACE)
    if (this.#takes('}')) return {}
    do {
      this.#match(SPACE)
      const key = this.#string()
      this.#match(SPACE)
      this.#wants(':')
      members.push([key, this.value(depth)])
    } while (this.#takes(','))
    this.#wants('}')
    // Defines its keys and sets none, so that `__proto__` is one of them.
    return Object.fromEntries(members)
  }

  #array(depth: number): Json {
    const items: Json[] = []
    this.#match(SPACE)
    if (this.#takes(']')) return items
    do items.push(this.value(depth))
    while (this.#takes(','))
    this.#wants(']')
    return items
  }

  #string(): string {
    const start = this.#at
    this.#wants('"')
    const end = findClosingQuote(this.#text, start)
    if (end < 0) throw new SyntaxError(`a string has no end, at character ${start + 1}`)
    this.#at = end + 1
    return stringOf(this.#text.slice(start, end + 1), start)
  }

  #wants(mark: string): void {
    if (!this.#takes(mark)) throw this.#unexpected()
  }

  #takes(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #unexpected(): SyntaxError {
    const found = this.#text[this.#at]
    if (found === undefined) return new SyntaxError('it ends too early')
    return new SyntaxError(`unexpected ${JSON.stringify(found)} at character ${this.#at + 1}`)
  }
}

/** The depth of what is in an array or object at this one. */
function nextDepth(depth: number): number {
  if (depth >= BOUNDS.jsonDepth)
    throw new SyntaxError(`more than ${BOUNDS.jsonDepth} arrays and objects are within each other`)
  return depth + 1
}

/** Where the string that begins at `start` has its closing quote; -1 when nowhere. */
function findClosingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
}

/** A string alone is read right by the engine, however it is escaped. */
function stringOf(quoted: string, start: number): string {
  try {
    return JSON.parse(quoted)
  } catch (cause) {
    throw new SyntaxError(`a string has a wrong escape or control character, at character ${start + 1}`, { cause })
  }
}
