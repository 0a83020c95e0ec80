/**
 * Finds names in a query that documents may contain verbatim: `--no-cache`, `E_404`, a pasted line; and names of
 * documents.
 */

import { tryToRead } from '../../core/errors.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { plainHeading } from '../../text/headings.ts'
import { lazyPattern } from '../../text/wildcards.ts'
import type { Query } from '../query.ts'
import { holdsPhrase } from '../snippets.ts'
import { positionsOf } from '../substrings.ts'
import { isStopWord, mainTerms } from '../terms.ts'

/** A name in a query, or a complete pasted line. */
export interface ExactText {
  readonly text: string
  /** The terms that a document with the text must have; empty for a text of signs. */
  readonly terms: readonly string[]
  /** Whether the text counts only if few documents contain it: a quoted text, a pasted line, or a name like `read-only`. */
  readonly isCommon: boolean
  /**
   * How a document contains the name: 2 alone, 1 within a longer name such as `a.NAME`, 0 not. `plain`: without case.
   */
  grade(text: string, plain: string): number
}

/** Maximum names of a query, and maximum UTF-16 units of a name. */
const MAX_NAMES = 8
const MAX_NAME_LENGTH = 128

/** Minimum informative words and maximum UTF-16 units of a line that is searched as a whole. */
const MIN_LINE_WORDS = 5
const MAX_LINE_LENGTH = 4096

/** Matches signs around a word that belong to the sentence, not to a name. */
const SIGNS_AROUND = /^[("'“”„‟«»‘’[{<,;!?]+|(?<![)"'“”„‟«»‘’\]}>,;:!?.])[)"'“”„‟«»‘’\]}>,;:!?.]+$/g

/** Matches a sign between letters or digits, or before a word, as in code. Some ordinary names match, too: `e.g.`. */
const INNER_SIGN = lazyPattern(
  String.raw`[\p{L}\p{N}](?:[._/\\@#$=~]|:{1,2}|->|\?\.)+[\p{L}\p{N}]|^(?:--?|::|[.#@$])[\p{L}]`,
  'u',
)

/** Matches names that are ordinary in sentences: `e.g.`, `and/or`. */
const ORDINARY_NAME = lazyPattern(String.raw`^(?:\p{L}(?:\.\p{L})+|\p{L}+/\p{L}+)$`, 'u')

/**
 * Matches names that count if they are the whole query: `read-only`, `openFile`, `E404`, `ENOENT`. In a longer query,
 * they count only if they are rare, and the query has a lower-case letter.
 */
const UNUSUAL_NAME = lazyPattern(String.raw`[\p{L}\p{N}]-[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}|^\p{Lu}{3,}$`, 'u')

/** Matches texts between backticks, and between quotation marks. */
const QUOTED = /\x60([^\x60\n]+)\x60|["“„«]([^"“”„«»\n]+)["”“»]/g

/** Texts that documents should contain verbatim: names, quoted texts, and a query that is a pasted line. */
export function exactTextsIn({ text, plain }: Pick<Query, 'text' | 'plain'>): ExactText[] {
  const names = new Map<string, boolean>()
  const add = (name: string, isCommon: boolean) => {
    if (name !== '' && name.length <= MAX_NAME_LENGTH) names.set(name, isCommon && (names.get(name) ?? true))
  }
  for (const [, code, quoted = ''] of text.matchAll(QUOTED)) add((code ?? quoted).trim(), code === undefined)
  const words = text.replaceAll(QUOTED, ' ').split(/\s+/)
  const isSingleWord = words.filter((word) => word !== '').length === 1
  const hasLowerCase = /\p{Ll}/u.test(text)
  for (const word of words) {
    if (word.length > MAX_NAME_LENGTH) continue
    const trimmed = word.replaceAll(SIGNS_AROUND, '')
    const hasInnerSign = INNER_SIGN().test(trimmed) && (isSingleWord || !ORDINARY_NAME().test(trimmed))
    const isUnusual = UNUSUAL_NAME().test(trimmed)
    if (SIGNS().test(word)) add(word, false)
    else if (hasInnerSign || (isSingleWord && isUnusual)) add(trimmed, false)
    else if (hasLowerCase && isUnusual) add(trimmed, true)
  }
  const lineTerms = informativeTerms(mainTerms(plain))
  const matchers = [...names].slice(0, MAX_NAMES).map(([name, isCommon]) => createNameMatcher(name, isCommon))
  if (lineTerms.length < MIN_LINE_WORDS || plain.length > MAX_LINE_LENGTH) return matchers
  return [...matchers, { text: plain, terms: lineTerms, isCommon: true, grade: createLineGrader(plain) }]
}

/** Matches a word that consists only of signs of code. */
const SIGNS = lazyPattern(String.raw`^(?:[^\p{L}\p{N}\s"'“”„«»…–—]{2,8}|§)$`, 'u')

/** Maximum occurrences of a name in a text that are checked. */
const MAX_CHECKED_POSITIONS = 200

const ENDS_WITH_WORD = lazyPattern(String.raw`[\p{L}\p{N}_]$`, 'u')
const STARTS_WITH_WORD = lazyPattern(String.raw`^[\p{L}\p{N}_]`, 'u')

/** Signs before and after a name that make it a part of a longer name. */
const JOINING_BEFORE = /[-.:/@]$/
const JOINING_AFTER = lazyPattern(String.raw`^[-.:/@][\p{L}\p{N}_]`, 'u')

/**
 * Returns a matcher of a name. No letter, digit or underscore may be next to such a character at an end of the name.
 */
function createNameMatcher(name: string, isCommon: boolean): ExactText {
  const [startsWithWord, endsWithWord] = [STARTS_WITH_WORD().test(name), ENDS_WITH_WORD().test(name)]
  const grade = (text: string, plain: string) => {
    let best = 0
    for (const at of positionsOf(name, plain, MAX_CHECKED_POSITIONS)) {
      const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + name.length, at + name.length + 3)]
      if ((startsWithWord && ENDS_WITH_WORD().test(before)) || (endsWithWord && STARTS_WITH_WORD().test(after)))
        continue
      const isJoined = (startsWithWord && JOINING_BEFORE.test(before)) || JOINING_AFTER().test(after)
      best = Math.max(best, isJoined ? 1 : 2)
      if (best === 2) break
    }
    return best
  }
  return { text: name, terms: informativeTerms(mainTerms(name)), isCommon, grade }
}

/** Maximum occurrences of a line's longest word around which the line is searched. */
const MAX_COMPARED_POSITIONS = 20

function createLineGrader(line: string): ExactText['grade'] {
  const terms = mainTerms(line)
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  const reach = 2 * line.length
  return (text, plain) => {
    // Joins windows that overlap, because words of a long line are near each other.
    const windows: { readonly from: number; to: number }[] = []
    for (const at of positionsOf(longest, plain, MAX_COMPARED_POSITIONS)) {
      const last = windows.at(-1)
      if (last && at - reach <= last.to) last.to = at + reach
      else windows.push({ from: Math.max(0, at - reach), to: at + reach })
    }
    return windows.some(({ from, to }) => holdsPhrase(text.slice(from, to), terms)) ? 2 : 0
  }
}

/** The terms without stop words; all terms if all are stop words. */
function informativeTerms(terms: readonly string[]): readonly string[] {
  const informative = terms.filter((term) => !isStopWord(term))
  return informative.length > 0 ? informative : terms
}

interface NamedDocument {
  readonly title: string
  readonly path: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Characters of a text that are searched for its first heading. */
const MAX_HEADING_SEARCH = 64 * 1024

const HEADING = /^(?:#{1,6}[ \t]+(\S[^\r\n]*)|(\S[^\r\n]*)\r?\n=+[ \t]*)$/m
const FENCE = /^[ \t]*(?:```|~~~)/m
const ANCHOR = /<[a-z]\w{0,20}\s[^<>]{0,200}?\b(?:id|name)=["']([^"'<>]{1,128})["']|\{#([\w.:-]{1,128})\}/gi

/** The names of a document in the index besides title and path: its aliases, and its first heading if not the title. */
export function indexedNames({ title, metadata }: Omit<NamedDocument, 'path'>, text: string): string[] {
  const body = text.slice(splitFrontMatter(text).body)
  const match = HEADING.exec(body.slice(0, MAX_HEADING_SEARCH))
  const heading = match && !FENCE.test(body.slice(0, match.index)) ? plainHeading(match[1] ?? match[2] ?? '') : ''
  const { aliases, alias } = metadata
  const names = new Set([...parseNameList(aliases), ...parseNameList(alias), heading])
  return [...names].filter((name) => name !== '' && name !== title)
}

/** The items of a value of front matter, which is JSON for a list. */
function parseNameList(value = ''): string[] {
  return value.startsWith('[') ? (tryToRead(() => JSON.parse(value).map(String)) ?? []) : [value]
}

/** Returns a test whether a query is a name of a document: its title, path, file name, alias, heading or an anchor. */
export function createOwnNameTest(query: string): (document: NamedDocument, text: string) => boolean {
  const [informativeQuery, wholeQuery] = [informativeTerms(mainTerms(query)), mainTerms(query).join(' ')]
  // With a single informative word, the stop words must match, too: `once_flag` is not `flag`.
  const isQuery = (name: string) => {
    const terms = mainTerms(name)
    return (
      terms.join(' ') === wholeQuery ||
      (informativeQuery.length > 1 && informativeTerms(terms).join(' ') === informativeQuery.join(' '))
    )
  }
  return (document, text) => {
    const { title, path } = document
    const file = path.slice(path.lastIndexOf('/') + 1)
    const paths = [path, file].flatMap((name) => [name, name.replace(/(?<=.)\.\w{1,8}$/, '')])
    const anchors = [...text.matchAll(ANCHOR)].map(([, tag, brace]) => tag ?? brace ?? '')
    return informativeQuery.length > 0 && [title, ...paths, ...indexedNames(document, text), ...anchors].some(isQuery)
  }
}
