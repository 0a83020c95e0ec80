import { coversPath, type Segments, STAR, segmentsOf, type Token, tokenAt } from './wildcards.ts'

/** Longer patterns are refused, and those that their braces would turn into more than so many tokens. */
const MOST_CHARACTERS = 256
const MOST_TOKENS = 4096
/** Tokens of all patterns of one list. */
const MOST_TOGETHER = 16_384

/** Whether a slash-separated path matches. */
export type Matches = (path: string) => boolean

/** Patterns, read. */
export interface Globs {
  /** Whether any of them matches, and none of those that begin with `!`. */
  readonly matches: Matches
  /** Those that ask for too much, and match nothing. */
  readonly refused: readonly string[]
}

/**
 * Reads patterns: `*` and `?` within a name, `**` for any directories, `[a-z]`, `{a,b}`, `\` before what stands for
 * itself; dot files count. A name may have the brackets of a pattern in it: `[id]` matches itself too. A slash at the
 * end stands for all that is below.
 *
 * @param together tokens that all of them may come to; those beyond are refused
 */
export function globs(patterns: readonly string[], together = MOST_TOGETHER): Globs {
  const refused: string[] = []
  const wanted: Segments[] = []
  const unwanted: Segments[] = []
  let left = together
  for (const pattern of patterns) {
    const negated = pattern.startsWith('!')
    const read = alternatives(negated ? pattern.slice(1) : pattern)
    left -= read?.reduce((sum, tokens) => sum + tokens.length, 0) ?? 0
    if (read && left >= 0) (negated ? unwanted : wanted).push(...read.map(segmentsOf))
    else refused.push(pattern)
  }
  const isWanted = matcherOf(wanted)
  const isUnwanted = matcherOf(unwanted)
  return { matches: (path) => isWanted(path) && !isUnwanted(path), refused }
}

/** Most patterns are like `**` + `/*.md`, and most paths are asked for one of these: an end is compared without cutting the path. */
function matcherOf(patterns: readonly Segments[]): Matches {
  const ends = patterns.map(endOf).filter((end) => end !== undefined)
  const others = patterns.filter((pattern) => endOf(pattern) === undefined)
  const isOther = (path: string): boolean => {
    const names = path.split('/').map((name) => [...name])
    return others.some((pattern) => coversPath(pattern, names))
  }
  return (path) => ends.some((end) => path.endsWith(end)) || (others.length > 0 && isOther(path))
}

/** What a name at any depth has to end with, where the pattern says nothing else. Half a character is not compared so. */
function endOf(pattern: Segments): string | undefined {
  const [directories, name] = pattern
  if (pattern.length !== 2 || directories !== STAR || name === undefined || name === STAR) return undefined
  const [first, ...rest] = name
  const isEnd = first === STAR && rest.every((token) => typeof token === 'string' && /^[ -~]$/.test(token))
  return isEnd ? rest.join('') : undefined
}

type ExpansionResult = (readonly Token[])[] | undefined

/** All that the braces of a pattern stand for, and the same with brackets as they are; undefined when it is too much. */
function alternatives(pattern: string): ExpansionResult {
  const whole = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**')
  if (whole.length > MOST_CHARACTERS) return undefined
  const { found } = new Expansion([...whole], true).read(0, 0)
  if (!found || !whole.includes('[')) return found
  const literal = new Expansion([...whole], false).read(0, 0).found
  return literal && [...found, ...literal]
}

/** Reads a pattern's characters into the token lists that they stand for. */
class Expansion {
  readonly #chars: readonly string[]
  readonly #brackets: boolean

  constructor(chars: readonly string[], brackets: boolean) {
    this.#chars = chars
    this.#brackets = brackets
  }

  /** Up to the end; at a `depth` above 0 up to the comma or brace that ends the alternative. */
  read(start: number, depth: number): { found: ExpansionResult; next: number } {
    let found: ExpansionResult = [[]]
    let at = start
    while (at < this.#chars.length && !(depth > 0 && (this.#chars[at] === ',' || this.#chars[at] === '}'))) {
      const part = this.#chars[at] === '{' && this.#isClosed(at) ? this.#group(at, depth) : this.#one(at)
      found = combineExpansions(found, part.found)
      at = part.next
    }
    return { found, next: at }
  }

  #group(open: number, depth: number): { found: ExpansionResult; next: number } {
    let found: ExpansionResult = []
    let at = open
    while (at < this.#chars.length && this.#chars[at] !== '}') {
      const one = this.read(at + 1, depth + 1)
      found = found && one.found && [...found, ...one.found]
      at = one.next
    }
    return { found, next: at + 1 }
  }

  #one(at: number): { found: ExpansionResult; next: number } {
    if (!this.#brackets && this.#chars[at] === '[') return { found: [['[']], next: at + 1 }
    const { token, next } = tokenAt(this.#chars, at)
    return { found: [[token]], next }
  }

  #isClosed(open: number): boolean {
    let depth = 0
    for (let at = open; at < this.#chars.length; at++) {
      if (this.#chars[at] === '\\') at++
      else if (this.#chars[at] === '{') depth++
      else if (this.#chars[at] === '}' && --depth === 0) return true
    }
    return false
  }
}

/** Each of the first with each of the second; undefined when that is too much. */
function combineExpansions(first: ExpansionResult, second: ExpansionResult): ExpansionResult {
  if (!first || !second) return undefined
  if (first.length === 1 && second.length === 1) return [[...(first[0] ?? []), ...(second[0] ?? [])]]
  const tokens = (lists: readonly (readonly Token[])[]) => lists.reduce((sum, list) => sum + list.length, 0)
  if (first.length * tokens(second) + second.length * tokens(first) > MOST_TOKENS) return undefined
  return first.flatMap((head) => second.map((tail) => [...head, ...tail]))
}

/** The patterns of a front matter value: a list, or a text with commas between them (those in braces separate nothing). */
export function patternsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(patternsOf)
  if (typeof value !== 'string') return []
  const parts = atCommas(value).map((part) => part.trim().replace(/^(["'])(.*)\1$/s, '$2'))
  return parts.filter((part) => part !== '')
}

function atCommas(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{') depth++
    else if (char === '}') depth = Math.max(0, depth - 1)
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return depth > 0 ? text.split(',') : [...parts, text.slice(start)]
}
