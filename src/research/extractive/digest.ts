import { sentencesOf } from '../../text/sentences.ts'
import type { Span } from '../run/context.ts'
import type { ItemKind } from '../run/evidence.ts'
import { textRank } from './rank.ts'

/** Changes whenever the same spans would give other items: digests are kept by it. */
export const EXTRACTIVE_DIGEST = 'extractive-3'

/** Items of a file: as many as there are sections, within these. They cost nothing, and what is left out is not found. */
const FEWEST = 150
const MOST = 400

/** Width of a sentence that says something, and characters of one that can be quoted. */
const SHORTEST = 12
const LONGEST = 600

/** An item that has no name yet. `sources`: spans, `S3`. */
export interface DraftItem {
  readonly kind: ItemKind
  readonly text: string
  readonly sources: readonly string[]
}

interface Candidate extends DraftItem {
  readonly order: number
}

/** What the spans of a file say, in their own sentences: of each section in turn the one that tells most. */
export function digestSpans(spans: Iterable<Span>, most?: number): DraftItem[] {
  const sections = sectionsOf(spans).map(rankSection)
  const wanted = most ?? Math.min(MOST, Math.max(FEWEST, sections.length))
  const chosen: Candidate[] = []
  for (let round = 0; chosen.length < wanted; round++) {
    const next = sections.flatMap((section) => section.slice(round, round + 1))
    if (next.length === 0) break
    chosen.push(...next.slice(0, wanted - chosen.length))
  }
  return chosen.sort((a, b) => a.order - b.order).map(({ kind, text, sources }) => ({ kind, text, sources }))
}

/** Sentences by the headings that they stand under; where there are none, by span. */
function sectionsOf(spans: Iterable<Span>): Candidate[][] {
  const sections = new Map<string, Candidate[]>()
  const seen = new Set<string>()
  let order = 0
  for (const span of spans) {
    const key = span.headings.length > 0 ? span.headings.join('\0') : span.id
    const own = sections.get(key) ?? []
    for (const text of quotable(span.text)) {
      if (seen.has(text)) continue
      seen.add(text)
      own.push({ kind: classifySentence(text), text, sources: [span.id], order: order++ })
    }
    sections.set(key, own)
  }
  return [...sections.values()].filter((section) => section.length > 0)
}

function rankSection(section: readonly Candidate[]): Candidate[] {
  const order = textRank(section.map(({ text }) => text))
  return order.flatMap((at) => section[at] ?? [])
}

/** The sentences of a text that can be quoted as they are: on one line, without the mark of a list before them. */
export function quotable(text: string): string[] {
  const found: { start: number; end: number }[] = []
  for (const { start, end } of sentencesOf(text)) {
    const last = found.at(-1)
    const isTold =
      last && LEANING.test(text.slice(start, end)) && /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(text.slice(last.end, start))
    if (last && isTold && end - last.start <= LONGEST) last.end = end
    else found.push({ start, end })
  }
  return found
    .map(({ start, end }) => bare(text.slice(start, end)))
    .filter((one) => widthOf(one) >= SHORTEST && one.length <= LONGEST && /\p{L}{2}/u.test(one))
}

/** Characters of scripts that write a word with few of them. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** How much a sentence can say: a character of Chinese as three of English. */
function widthOf(sentence: string): number {
  return sentence.length + 2 * (sentence.match(DENSE)?.length ?? 0)
}

/** What begins like this says nothing without the sentence before it. */
const LEANING = /^(?:it|its|they|their|them|this|these|those|he|his|she|her)\b/i

function bare(sentence: string): string {
  const line = sentence.replace(/\s+/g, ' ').trim()
  return line.replace(/^(?:(?:[-*+>]|\d{1,3}[.)])\s+(?:\[[ xX!-]\]\s+)?|#{1,6}\s+)+/, '')
}

/** By the words that a sentence holds; the first that fits. */
const CUES: readonly (readonly [ItemKind, RegExp])[] = [
  [
    'constraint',
    /\b(?:must(?: not)?|shall(?: not)?|may not|required? to|is required|are required|not allowed|prohibited|forbidden|no later than|no more than|at most|at least|up to a maximum|only if|never|mandatory|deadline)\b/i,
  ],
  [
    'definition',
    /^(?:an? |the )?["“]?[\p{L}\p{N}][\p{L}\p{N}\s’'()/-]{0,60}["”]?\s+(?:means|refers to|is defined as|is an? (?:kind|type|form|unit|name|measure) of|stands for)\b/iu,
  ],
  [
    'uncertainty',
    /\b(?:might|may be|perhaps|possibly|probably|unclear|unknown|uncertain|not yet known|estimated?|approximately|roughly|to be decided|tbd|assum(?:e|ed|ption)|expected to|likely|remains open)\b/i,
  ],
  ['conflict', /\b(?:contradict(?:s|ed|ory)?|disagrees?|in conflict with|disputed?|inconsistent with)\b/i],
  [
    'analysis',
    /\b(?:therefore|thus|hence|because|implies|suggests that|as a result|consequently|which means|so that|due to|leads? to)\b/i,
  ],
  ['lead', /(?:https?:\/\/|\b(?:see also|see [A-Z§]|for details|further reading|source:|according to)\b)/],
  [
    'case',
    /\b(?:in|on|since|during) (?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|(?:19|20)\d\d\b).*\b\p{L}+ed\b|\b\p{Lu}\p{L}+ (?:reported|announced|opened|closed|launched|replaced|signed|moved|tried|built)\b/iu,
  ],
]

/** What a sentence is, by the words that it holds: a fact where no other speaks for itself. */
export function classifySentence(sentence: string): ItemKind {
  return CUES.find(([, cue]) => cue.test(sentence))?.[0] ?? 'fact'
}
