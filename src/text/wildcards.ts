/** Matching with wildcards in a time that no pattern can blow up: there is no backtracking but to the last star. */

/** Any number of items. */
export const STAR = Symbol('*')

/** Any one character. */
const ANY = Symbol('?')

/** What `[…]` stands for. */
interface Class {
  readonly negated: boolean
  readonly ranges: readonly (readonly [from: string, to: string])[]
}

/** What one place in a pattern's segment asks for. */
export type Token = string | Class | typeof STAR | typeof ANY

/** A pattern by segments; `STAR` is any number of segments. */
export type Segments = readonly (readonly Token[] | typeof STAR)[]

/** The tokens, cut at their slashes; a segment of stars alone, and at least two, is any number of segments. */
export function segmentsOf(tokens: readonly Token[]): Segments {
  const cut: Token[][] = [[]]
  for (const token of tokens) token === '/' ? cut.push([]) : cut.at(-1)?.push(token)
  return cut
    .filter((segment) => segment.length > 0)
    .map((segment) => (segment.length > 1 && segment.every((token) => token === STAR) ? STAR : segment))
}

/** The token that starts at an index of a pattern's characters, and where the next one starts. */
export function tokenAt(chars: readonly string[], index: number): { readonly token: Token; readonly next: number } {
  const char = chars[index] ?? ''
  if (char === '*') return { token: STAR, next: index + 1 }
  if (char === '?') return { token: ANY, next: index + 1 }
  if (char === '\\' && index + 1 < chars.length) return { token: chars[index + 1] ?? '', next: index + 2 }
  return (char === '[' && classAt(chars, index)) || { token: char, next: index + 1 }
}

/** Undefined when the bracket is not closed. */
function classAt(chars: readonly string[], index: number) {
  const negated = chars[index + 1] === '!' || chars[index + 1] === '^'
  const ranges: [string, string][] = []
  let at = index + (negated ? 2 : 1)
  for (const first = at; at < chars.length && (chars[at] !== ']' || at === first); ) {
    const from = escapedAt(chars, at)
    const isRange = chars[from.next] === '-' && from.next + 1 < chars.length && chars[from.next + 1] !== ']'
    const to = isRange ? escapedAt(chars, from.next + 1) : from
    ranges.push([from.char, to.char])
    at = to.next
  }
  return at < chars.length ? { token: { negated, ranges }, next: at + 1 } : undefined
}

function escapedAt(chars: readonly string[], at: number) {
  const escaped = chars[at] === '\\' && at + 1 < chars.length
  return { char: chars[escaped ? at + 1 : at] ?? '', next: at + (escaped ? 2 : 1) }
}

/** Whether the pattern covers the whole path, given as its segments. */
export function coversPath(pattern: Segments, path: readonly (readonly string[])[]): boolean {
  return covers(pattern, path, (segment, name) => segment !== STAR && covers(segment, name, isOneOf))
}

function isOneOf(token: Token, char: string): boolean {
  if (typeof token === 'string') return token === char
  if (typeof token === 'symbol') return token === ANY
  return token.negated !== token.ranges.some(([from, to]) => from <= char && char <= to)
}

/** Whether the parts cover all the items, a star any number of them. Takes their product in time at most. */
function covers<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0
  let star = -1
  let resume = 0
  for (let item = 0; item < items.length; ) {
    const [wanted, given] = [parts[part], items[item]]
    if (wanted === STAR) {
      star = part++
      resume = item
    } else if (wanted !== undefined && given !== undefined && fits(wanted, given)) {
      part++
      item++
    } else if (star >= 0) {
      part = star + 1
      item = ++resume
    } else return false
  }
  while (parts[part] === STAR) part++
  return part === parts.length
}
