import { coversPath, type PatternSegments, STAR, segmentsOf, type Token, tokenAt, tokensOf } from './wildcards.ts'

/** Maximum characters of a pattern, and maximum tokens (characters and wildcards) after expanding its braces. */
const MAX_CHARACTERS = 256
const MAX_TOKENS = 4096
/** Maximum tokens of all patterns of one list. */
const MAX_ALL_TOKENS = 16_384

/** Whether a slash-separated path matches. */
export type Matches = (path: string) => boolean

/**
 * Returns a test of paths for glob patterns: `*` and `?` within a name, `**` for any directories, `[a-z]`, `{a,b}`, `\`
 * before a literal character; dot files match, too. `[id]` also matches the name `[id]`. A pattern that ends with a
 * slash matches all paths below it.
 *
 * @param maxTokens maximum tokens of all patterns; further patterns are refused
 * @returns `matches`: whether any pattern matches, and no pattern that begins with `!`. `refused`: patterns that are too large; they match nothing.
 */
export function globs(patterns: readonly string[], maxTokens = MAX_ALL_TOKENS) {
  const refused: string[] = []
  const included: PatternSegments[] = []
  const excluded: PatternSegments[] = []
  let remaining = maxTokens
  for (const pattern of patterns) {
    const isNegated = pattern.startsWith('!')
    const expansions = alternatives(isNegated ? pattern.slice(1) : pattern)
    remaining -= totalLength(expansions ?? [])
    if (expansions && remaining >= 0) (isNegated ? excluded : included).push(...expansions.map(segmentsOf))
    else refused.push(pattern)
  }
  const isIncluded = matcherOf(included)
  const isExcluded = matcherOf(excluded)
  const matches: Matches = (path) => isIncluded(path) && !isExcluded(path)
  return { matches, refused }
}

/** Returns a test for patterns. For the frequent patterns like `**` + `/*.md`, it compares only the ends of paths. */
function matcherOf(patterns: readonly PatternSegments[]): Matches {
  const ends = patterns.map(endOf).filter((end) => end !== undefined)
  const others = patterns.filter((pattern) => endOf(pattern) === undefined)
  const matchesOther = (path: string): boolean => {
    const names = path.split('/').map((name) => [...name])
    return others.some((pattern) => coversPath(pattern, names))
  }
  return (path) => ends.some((end) => path.endsWith(end)) || (others.length > 0 && matchesOther(path))
}

/**
 * The ending that a pattern like `**` + `/*.md` requires; undefined for other patterns, and for a non-ASCII ending,
 * which could begin within a character.
 */
function endOf(pattern: PatternSegments): string | undefined {
  const [directories, name] = pattern
  if (pattern.length !== 2 || directories !== STAR || name === undefined || name === STAR) return undefined
  const [first, ...rest] = name
  const isEnd = first === STAR && rest.every((token) => typeof token === 'string' && /^[ -~]$/.test(token))
  return isEnd ? rest.join('') : undefined
}

/** A pattern's tokens, for each alternative in its braces, also with literal brackets; undefined for too many. */
function alternatives(pattern: string): Token[][] | undefined {
  const whole = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**')
  if (whole.length > MAX_CHARACTERS) return undefined
  return expandBraces([...whole])?.flatMap((chars) =>
    chars.includes('[') ? [tokensOf(chars), tokensOf(chars, false)] : [tokensOf(chars)],
  )
}

/** A pattern's characters, once for each alternative in its braces; undefined if there are too many. */
export function expandBraces(chars: readonly string[]): (readonly string[])[] | undefined {
  for (let at = 0; at < chars.length; at = tokenAt(chars, at).next) {
    const group = chars[at] === '{' ? groupAt(chars, at) : undefined
    if (!group) continue
    const tails = expandBraces(chars.slice(group.end))
    const heads = tails && group.parts.map(expandBraces)
    if (!tails || !heads?.every((one) => one !== undefined)) return undefined
    const starts = heads.flat().map((head) => [...chars.slice(0, at), ...head])
    if (starts.length * totalLength(tails) + tails.length * totalLength(starts) > MAX_TOKENS) return undefined
    return starts.flatMap((start) => tails.map((tail) => [...start, ...tail]))
  }
  return [chars]
}

function totalLength(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((sum, list) => sum + list.length, 0)
}

/** The alternatives in the braces that open at an index, and their end; undefined for unclosed braces. */
function groupAt(chars: readonly string[], open: number) {
  const parts: string[][] = [[]]
  let depth = 0
  for (let at = open; at < chars.length; ) {
    const { next } = tokenAt(chars, at)
    if (chars[at] === '{') depth++
    else if (chars[at] === '}' && --depth === 0) return { parts, end: next }
    if (depth === 1 && chars[at] === ',') parts.push([])
    else if (at > open) parts.at(-1)?.push(...chars.slice(at, next))
    at = next
  }
  return undefined
}

/** The patterns of a front matter value: a list, or a text with commas between patterns. Commas in braces and brackets do not separate. */
export function patternsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(patternsOf)
  if (typeof value !== 'string') return []
  const parts = splitAtCommas(value).map((part) => part.trim().replace(/^(["'])(.*)\1$/s, '$2'))
  return parts.filter((part) => part !== '')
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: char, index } of text.matchAll(/[{}[\],]/g)) {
    if (char === '{' || char === '[') depth++
    else if (char !== ',') depth = Math.max(0, depth - 1)
    else if (depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return depth > 0 ? text.split(',') : [...parts, text.slice(start)]
}
