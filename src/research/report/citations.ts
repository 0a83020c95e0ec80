/** Converts citations in a Markdown text to one style: `[3]`, the number of the source. Models write several styles. */

import { escapeInline, fillBlank, UNESCAPED, withoutSpans } from '../../text/code.ts'
import { replaceRanges } from '../../text/replace-ranges.ts'
import { foldSpace } from '../../text/trim.ts'

/** A converted citation: `[3]`. */
export const NUMBERED = new RegExp(String.raw`${UNESCAPED}\[(\d{1,5})\]`, 'g')

/** Numbers of cited sources, from 1, in the order of first use. `refs`: the sources, such as `a.md::S3` or a URL. */
export class CitationNumbers {
  readonly refs: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(ref: string): number {
    const number = this.#numbers.get(ref) ?? this.refs.push(ref)
    this.#numbers.set(ref, number)
    return number
  }

  refOf(number: number): string | undefined {
    return this.refs[number - 1]
  }
}

/** Finds the source of a cited name. Undefined: that source was never read. */
export type ResolveCited = (name: string) => string | undefined

/**
 * Matches a citation: a link, or brackets with one or more names. `([Title](url))` is a link in parentheses; `(https://…)` is a
 * link without a title.
 */
const CITATION_FORMS = new RegExp(
  [
    String.raw`\(?${UNESCAPED}\[(?<label>[^[\]\n]{0,2000})\]\(<?(?<url>[a-z]+:\/\/[^()\s<>]{1,2000}(?:\([^()\s<>]{0,200}\)[^()\s<>]{0,200})?)>?(?:\s"[^"\n]{0,300}")?\)\)?`,
    String.raw`${UNESCAPED}\[\^?(?<names>[^[\]\n]{1,20000})\](?![(:])`,
    String.raw`(?<!\])\((?<bare>https?:\/\/[^()\s<>]{1,2000})\)`,
    String.raw`${UNESCAPED}<(?<angled>https?:\/\/[^<>\s]{1,2000})>`,
  ].join('|'),
  'gi',
)

/** A name that can only be a citation, even if its source is unknown. */
const CITATION_NAME = /::[A-Za-z]*\d+$|^(?:https?|ambit):\/\/|^\d{1,4}$/i

/**
 * Converts all citations of a text to numbers. If a source was never read, its citation becomes a remark in italics.
 * `unknown`: the names of these sources.
 */
export function numberCitations(text: string, resolveName: ResolveCited, numbers: CitationNumbers) {
  const unknown: string[] = []
  // A model can cite only numbers that it was offered, not numbers that this function assigns.
  const offered = numbers.refs.length
  const resolve: ResolveCited = (name) =>
    /^\d{1,5}$/.test(name) ? (Number(name) <= offered ? numbers.refOf(Number(name)) : undefined) : resolveName(name)
  const citations = [...withoutCode(text).matchAll(CITATION_FORMS)].flatMap(({ 0: whole, index: start, groups }) => {
    const names = citedNames(groups ?? {}, resolve)
    if (names.length === 0) return []
    const refs = names.map((name) => ({ name, ref: resolve(name) }))
    const known = [...new Set(refs.flatMap(({ ref }) => (ref === undefined ? [] : [numbers.numberOf(ref)])))]
    const unread = refs.flatMap(({ name, ref }) => (ref === undefined ? [name] : []))
    unknown.push(...unread)
    const unreadNames = unread.map((name) => name.replace(/^https?:\/\//, '')).join(', ')
    const unknownMark = unread.length > 0 ? `*(no such source: ${unreadNames})*` : ''
    const marks = [known.map((number) => `[${number}]`).join(''), unknownMark]
    return [{ start, end: start + whole.length, by: marks.filter((mark) => mark !== '').join(' ') }]
  })
  return { text: replaceRanges(text, citations), unknown }
}

/** The names of a citation; empty for brackets that cite nothing. */
function citedNames(groups: Readonly<Record<string, string | undefined>>, resolve: ResolveCited): string[] {
  const { label = '', url, names = '', bare, angled } = groups
  const address = url ?? bare ?? angled
  if (address !== undefined) {
    if (resolve(address) !== undefined) return [address]
    if (resolve(label) !== undefined) return [label]
    // A bare address of an unknown source is a mention, not a citation. A link with a title is meant as a citation.
    return url === undefined ? [] : [address]
  }
  if (resolve(names) !== undefined) return [names.replace(/^\^/, '')]
  const list = splitNames(names)
  return list.every((name) => resolve(name) !== undefined || CITATION_NAME.test(name)) ? list : []
}

/** Splits names: `a.md::S1, b.md::S2`; `3, 5`; `3-5`. A name may contain a comma. */
function splitNames(names: string): string[] {
  const isNumbers = /^[\d\s,;^–-]+$/.test(names)
  return names.split(isNumbers ? /[,;]/ : /[,;]\s/).flatMap((one) => {
    const name = one.trim().replace(/^\^/, '')
    const [, from, to] = /^(\d{1,4})\s*[-–]\s*(\d{1,4})$/.exec(name) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (from === undefined || last < first || last - first > 50) return [name]
    return Array.from({ length: last - first + 1 }, (_, at) => String(first + at))
  })
}

/** Renumbers the citations of a text in order of appearance. `refs`: their sources, in the order of the new numbers. */
export function renumber(text: string, offered: Pick<CitationNumbers, 'refOf'>) {
  const numbers = new CitationNumbers()
  const citations = [...withoutCode(text).matchAll(NUMBERED)].flatMap(({ 0: whole, 1: number, index: start }) => {
    const ref = offered.refOf(Number(number))
    return ref === undefined ? [] : [{ start, end: start + whole.length, by: `[${numbers.numberOf(ref)}]` }]
  })
  return { text: replaceRanges(text, citations), refs: numbers.refs }
}

/** The text with blanks in place of code, because code cites nothing. Offsets stay the same. */
export function withoutCode(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[^\S\n]*$|(?![\s\S]))/gm, fillBlank)
    .split('\n')
    .map((line) => (line.includes('`') ? withoutSpans(line) : line))
    .join('\n')
}

/** Text in brackets that looks like a citation: `[a.md::S3]`, `[https://…]`, `[ambit://…]`. */
export const CITATION = new RegExp(
  String.raw`${UNESCAPED}\[((?:[^[\]\n]{1,300}::S\d+)|(?:(?:https?|ambit):\/\/[^[\]\s]{1,2000}))\](?!\()`,
  'g',
)

/**
 * Escapes text of a file, a page or a model for a line of a report. The result begins no block, cites nothing, and has no link,
 * picture, code or element.
 */
export function plainLine(text: string): string {
  return escapeInline(foldSpace(text).replace(CITATION, '($1)'))
}
