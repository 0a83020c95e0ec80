/** Every sentence of a report's body, held against what it cites. */

import { fillBlank, UNESCAPED, unescapedOf } from '../../text/code.ts'
import { neutralise } from '../../text/invisible.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { type ClaimSource, whyUnsupported } from './claim-check.ts'
import { SAID_OF_NOTHING } from './report-words.ts'

export interface ReportClaim {
  /** Without citations and marks. */
  readonly text: string
  /** Offsets in the Markdown of the report, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly citations: readonly string[]
  readonly verdict: 'supported' | 'unsupported' | 'uncited'
  /** Why it is not supported. A sentence. */
  readonly why?: string
}

interface CheckedClaims {
  /** In the order of the text. */
  readonly claims: readonly ReportClaim[]
  /** The text, with a mark behind each that is not supported, and in place of each citation that leads nowhere. */
  readonly text: string
  readonly unknown: readonly string[]
}

const MARKS = { unsupported: ' *(not borne out by its source)*', uncited: ' *(no source)*' }
const ANY_MARK =
  /\s?\*\((?:not borne out by its source|no source|not found in its source|quotation without a source|no such source: [^\n)]*)\)\*/g

/**
 * What stands in brackets and is a citation, or looks like one: `[a.md::S3]`, `[a.md::S3, b.md::S1]`, `[https://…]`, `[3]`. The name
 * of a file may have commas and colons, so a list of names is told from one by `namesIn` alone.
 */
const CITING = new RegExp(
  String.raw`${UNESCAPED}\[([^[\]\n]{1,20000}::[A-Za-z]*\d+|(?:(?:https?|ambit):\/\/[^[\]\s]{1,2000})|\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?:\((https?:\/\/[^()\s]{1,2000})\))?`,
  'g',
)

/** What is known of statements beside their words. */
export interface ClaimKnowledge {
  /** What was computed on what is cited, and stands nowhere. */
  readonly computed?: readonly string[]
  /** By `claimKey`, why a judge who was given the cited passages does not agree. */
  readonly refuted?: ReadonlyMap<string, string> | undefined
}

/** By what a statement is known to its judge. */
export function claimKey({ text, citations }: Pick<ReportClaim, 'text' | 'citations'>): string {
  return [text, ...citations].join('\0')
}

/** `sourceOf`: the passage that a citation leads to; undefined for what was never read. */
export function checkClaims(
  text: string,
  sourceOf: (ref: string) => ClaimSource | undefined,
  { computed = [], refuted }: ClaimKnowledge = {},
): CheckedClaims {
  const unknown: string[] = []
  const edits: { readonly at: number; readonly end: number; readonly put: string }[] = []
  const plainComputed = computed.map(plainClaim)
  const claims = claimsIn(text).map((claim) => {
    const refs = claim.citations.map(({ ref }) => ref)
    const sources = refs.flatMap((ref) => sourceOf(ref) ?? [])
    const isComputed = sources.length > 0 && plainComputed.some((one) => claim.text.startsWith(one))
    const why = isComputed
      ? undefined
      : (whyOf(claim.text, refs, sources) ?? refuted?.get(claimKey({ text: claim.text, citations: refs })))
    const verdict = why === undefined ? 'supported' : sources.length > 0 || refs.length > 0 ? 'unsupported' : 'uncited'
    const isLost = refs.length > 0 && sources.length === 0
    // What cites nothing that was read is marked in place of its citation.
    if (why !== undefined && !claim.isMarked && !isLost)
      edits.push({ at: claim.end, end: claim.end, put: MARKS[verdict === 'uncited' ? 'uncited' : 'unsupported'] })
    return {
      text: claim.text,
      start: claim.start,
      end: claim.end,
      citations: refs,
      verdict,
      ...(why !== undefined && { why }),
    } as const
  })
  for (const { index, 0: whole, 1: names = '', 2: url } of withoutCode(text).matchAll(CITING)) {
    const refs = url ? [url] : namesIn(names)
    const lost = refs.filter((ref) => sourceOf(ref) === undefined)
    if (lost.length === 0) continue
    unknown.push(...lost)
    const known = refs.filter((ref) => !lost.includes(ref)).map((ref) => `[${ref}]`)
    const told = `*(no such source: ${lost.map((ref) => ref.replace(/^https?:\/\//, '')).join(', ')})*`
    edits.push({ at: index, end: index + whole.length, put: [...known, told].join(' ') })
  }
  const { marked, moved } = applyEdits(text, edits)
  return {
    claims: claims.map((claim) => ({ ...claim, start: moved(claim.start), end: moved(claim.end) })),
    text: marked,
    unknown,
  }
}

function whyOf(text: string, refs: readonly string[], sources: readonly ClaimSource[]): string | undefined {
  if (refs.length === 0) return 'It cites nothing.'
  if (sources.length === 0) return 'What it cites was never read.'
  return whyUnsupported(text, sources)
}

function applyEdits(
  text: string,
  edits: readonly { readonly at: number; readonly end: number; readonly put: string }[],
) {
  const sorted = edits.toSorted((a, b) => a.at - b.at || a.end - b.end)
  let marked = ''
  let done = 0
  for (const { at, end, put } of sorted) {
    if (at < done) continue
    marked += text.slice(done, at) + put
    done = end
  }
  const starts = sorted.map(({ at }) => at)
  let shift = 0
  const shifts = [0, ...sorted.map(({ at, end, put }) => (shift += put.length - (end - at)))]
  const moved = (offset: number) => offset + (shifts[countBelow(starts, offset)] ?? 0)
  return { marked: marked + text.slice(done), moved }
}

/** How many of sorted numbers are less than one. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

interface RawClaim {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly citations: readonly { readonly ref: string }[]
  readonly isMarked: boolean
}

/** The sentences of a body that assert something: no headings, no code, no line that only leads to a list. */
function claimsIn(text: string): RawClaim[] {
  const bare = withoutCode(text)
  const found: RawClaim[] = []
  for (const { start, end } of sentenceSpans(bare)) {
    const whole = bare.slice(start, end)
    const citations = [...whole.matchAll(CITING)].flatMap(([, names = '', url]) => (url ? [url] : namesIn(names)))
    const isMarked = whole.search(ANY_MARK) >= 0
    const said = plainClaim(unescapedOf(whole.replace(ANY_MARK, '').replace(CITING, '')))
    const isLead = /[:：]$/.test(said) && citations.length === 0
    if (!/[\p{L}\p{N}]{2}/u.test(said) || SAID_OF_NOTHING.test(said) || isLead) continue
    found.push({ text: said, start, end, citations: citations.map((ref) => ({ ref })), isMarked })
  }
  return found
}

/** As it is read: without what is not seen, bold type and blanks that say nothing. */
function plainClaim(text: string): string {
  return neutralise(text)
    .text.replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s(?=[.,;!?])/g, '')
    .trim()
}

/** Sentences with the citations that follow them; a quotation is never cut. */
function sentenceSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number; block: number }[] = []
  let offset = 0
  let block = 0
  for (const paragraph of paragraphsIn(text)) {
    offset = paragraph.start
    block++
    const masked = maskInner(text.slice(offset, paragraph.end))
    for (const { start, end } of sentencesOf(masked)) {
      const [from, to] = [offset + start, offset + end]
      const lead =
        /^\s*(?:(?:\[[^[\]\n]+\](?:\([^()\s]*\))?|\*\([^\n)]*\)\*)[\s,;.]*)+/.exec(text.slice(from, to))?.[0].length ??
        0
      const last = spans.at(-1)
      if (lead > 0 && last?.block === block) last.end = from + text.slice(from, from + lead).trimEnd().length
      if (from + lead < to) spans.push({ start: from + lead, end: to, block })
    }
  }
  return spans
}

/** Paragraphs, items and rows, without their marks; no headings, nor rows that name columns. */
function paragraphsIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  const lines = [...text.matchAll(/[^\n]+/g)]
  let isOpen = false
  let last = -2
  for (const [at, { 0: line, index }] of lines.entries()) {
    const isAfterGap = index !== last + 1
    last = index + line.length
    const mark = /^\s*(?:>\s?)*(?:[-*+]|\d{1,3}[.)])?\s*/.exec(line)?.[0] ?? ''
    const isRow = line.trimStart().startsWith('|')
    const isHead = isRow && /^(?=[\s:|]*-)[\s:|-]*$/.test(lines[at + 1]?.[0] ?? '')
    const isNone = line.trim() === '' || /^\s{0,3}#{1,6}\s/.test(line) || isHead || /^[\s:|*_-]+$/.test(line)
    const begins = isAfterGap || !isOpen || isRow || /^\s*(?:>|(?:[-*+]|\d{1,3}[.)])\s)/.test(line)
    const open = found.at(-1)
    if (isNone) isOpen = false
    else if (begins || !open) {
      found.push({ start: index + mark.length, end: index + line.length })
      isOpen = !isRow
    } else open.end = index + line.length
  }
  return found
}

/** Of the same length: what stands in quotation marks or brackets ends no sentence, and begins none. */
function maskInner(text: string): string {
  const mask = (inner: string) => inner.replace(/[.!?。!?\n]/g, ',')
  // Behind a full stop a small letter would go on with the sentence, and a bracket would belong to the one before.
  return text
    .replace(/\[[^[\]\n]*\](?:\([^()\s]*\))?/g, (cited) => 'X'.repeat(cited.length))
    .replace(/“[^“”]*”/g, (quote) => `${mask(quote.slice(0, -2))}${quote.slice(-2)}`)
    .replace(/\*\([^\n)]*\)\*/g, mask)
    .replaceAll('\n', ' ')
    .replaceAll('|', ' ')
}

function withoutCode(text: string): string {
  return text.replace(
    /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[^\S\n]*$|(?![\s\S]))/gm,
    fillBlank,
  )
}

function namesIn(names: string): string[] {
  return /^(?:https?|ambit):/.test(names) ? [names] : names.split(/[,;]\s+/).map((name) => name.trimEnd())
}
