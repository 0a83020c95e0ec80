/** Matches wildcards in bounded time: it backtracks only to the last star. */

/** Any number of characters, or of segments. */
export const STAR = Symbol('*')

/** Any one character. */
const ANY = Symbol('?')

/** Characters of `[…]`. */
interface CharacterClass {
  readonly isNegated: boolean
  readonly ranges: readonly (readonly [from: string, to: string])[]
}

/** A token of a pattern's segment. */
export type Token = string | CharacterClass | typeof STAR | typeof ANY

/** The segments of a pattern; `STAR` is any number of segments. */
export type PatternSegments = readonly (readonly Token[] | typeof STAR)[]

/** The tokens, split at slashes. A segment that consists of two or more stars stands for any number of segments. */
export function segmentsOf(tokens: readonly Token[]): PatternSegments {
  const segments: Token[][] = [[]]
  for (const token of tokens) token === '/' ? segments.push([]) : segments.at(-1)?.push(token)
  return segments
    .filter((segment) => segment.length > 0)
    .map((segment) => (segment.length > 1 && segment.every((token) => token === STAR) ? STAR : segment))
}

/** The token that starts at an index of a pattern's characters, and where the next token starts. */
export function tokenAt(chars: readonly string[], index: number): { readonly token: Token; readonly next: number } {
  const char = chars[index] ?? ''
  if (char === '*') return { token: STAR, next: index + 1 }
  if (char === '?') return { token: ANY, next: index + 1 }
  if (char === '\\' && index + 1 < chars.length) return { token: chars[index + 1] ?? '', next: index + 2 }
  return (char === '[' && classAt(chars, index)) || { token: char, next: index + 1 }
}

/** All tokens of a pattern's characters. `readsClasses`: whether brackets stand for classes. Default: true. */
export function tokensOf(chars: readonly string[], readsClasses = true): Token[] {
  const tokens: Token[] = []
  let isOpen = !readsClasses
  for (let at = 0; at < chars.length; ) {
    const isBracket = chars[at] === '['
    // After an unclosed bracket, no later bracket is closed. A new search at each bracket would take quadratic time.
    const { token, next } = isOpen && isBracket ? { token: '[', next: at + 1 } : tokenAt(chars, at)
    isOpen ||= isBracket && token === '['
    tokens.push(token)
    at = next
  }
  return tokens
}

/** The class of characters whose bracket is at `index`; undefined for an unclosed bracket. */
function classAt(chars: readonly string[], index: number) {
  const isNegated = chars[index + 1] === '!' || chars[index + 1] === '^'
  const ranges: [string, string][] = []
  let at = index + (isNegated ? 2 : 1)
  for (const first = at; at < chars.length && (chars[at] !== ']' || at === first); ) {
    const from = characterAt(chars, at)
    const isRange = chars[from.next] === '-' && from.next + 1 < chars.length && chars[from.next + 1] !== ']'
    const to = isRange ? characterAt(chars, from.next + 1) : from
    ranges.push([from.char, to.char])
    at = to.next
  }
  return at < chars.length ? { token: { isNegated, ranges }, next: at + 1 } : undefined
}

function characterAt(chars: readonly string[], at: number) {
  const isEscaped = chars[at] === '\\' && at + 1 < chars.length
  return { char: chars[isEscaped ? at + 1 : at] ?? '', next: at + (isEscaped ? 2 : 1) }
}

/** Whether a pattern matches a whole path. `path`: the characters of each segment. */
export function coversPath(pattern: PatternSegments, path: readonly (readonly string[])[]): boolean {
  return covers(pattern, path, (segment, name) => segment !== STAR && matchesSegment(segment, name))
}

/** Whether tokens match all characters of a name; a star matches any number of characters. */
export function matchesSegment(segment: readonly Token[], name: readonly string[]): boolean {
  return covers(segment, name, isOneOf)
}

function isOneOf(token: Token, char: string): boolean {
  if (typeof token === 'string') return token === char
  if (typeof token === 'symbol') return token === ANY
  return token.isNegated !== token.ranges.some(([from, to]) => from <= char && char <= to)
}

/** Whether a part matches one item. */
type Fits<Part, Item> = (part: Part, item: Item) => boolean

/**
 * Whether parts (tokens or pattern segments) match all items (characters or path segments); a star matches any number
 * of items. The parts after the last star are compared with the last items, in linear time. Only parts between two
 * stars need a search, which takes at most the product of both lengths.
 */
function covers<Part, Item>(parts: readonly Part[], items: readonly Item[], fits: Fits<Part, Item>): boolean {
  let partCount = parts.length
  let itemCount = items.length
  for (let part = parts[partCount - 1]; part !== undefined && part !== STAR; part = parts[partCount - 1]) {
    const item = items[itemCount - 1]
    if (item === undefined || !fits(part, item)) return false
    partCount--
    itemCount--
  }
  return partCount === 0 ? itemCount === 0 : matchesToStar(parts.slice(0, partCount), items.slice(0, itemCount), fits)
}

/** As `covers`, for parts that end with a star. */
function matchesToStar<Part, Item>(parts: readonly Part[], items: readonly Item[], fits: Fits<Part, Item>): boolean {
  let star = -1
  let resume = 0
  for (let part = 0, item = 0; part < parts.length; ) {
    const currentPart = parts[part]
    const currentItem = items[item]
    if (currentPart === STAR) {
      star = part++
      resume = item
    } else if (currentPart === undefined || currentItem === undefined) return false
    else if (fits(currentPart, currentItem)) {
      part++
      item++
    } else if (star >= 0) {
      part = star + 1
      item = ++resume
    } else return false
  }
  return true
}

/** Whether a match needs a search: parts are between two stars, in one segment or among the segments. */
export function needsSearch(pattern: PatternSegments): boolean {
  return isBetweenStars(pattern) || pattern.some((segment) => segment !== STAR && isBetweenStars(segment))
}

function isBetweenStars<Part>(parts: readonly Part[]): boolean {
  const isStar = (part: Part) => part === STAR
  return parts.slice(parts.findIndex(isStar), parts.findLastIndex(isStar) + 1).some((part) => part !== STAR)
}

/**
 * A regular expression that is built at its first use. Unicode classes in a literal take milliseconds to compile, even
 * if the function around the literal is never called, and most texts need no Unicode classes.
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined
  return () => {
    pattern ??= new RegExp(source, flags)
    return pattern
  }
}

/** A text as the source of a regular expression that matches it. */
export function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
