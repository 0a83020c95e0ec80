import { type Json, MAX_DEPTH, numberOf } from './json-value.ts'

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
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

class Reader {
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
    if (this.#takes('{')) return this.#object(within(depth))
    if (this.#takes('[')) return this.#array(within(depth))
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
    const end = endOf(this.#text, start)
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
function within(depth: number): number {
  if (depth >= MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} arrays and objects are within each other`)
  return depth + 1
}

/** Where the string that begins at `start` has its closing quote; -1 when nowhere. */
function endOf(text: string, start: number): number {
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
