/** Which passages come nearest to a question: of the files of a run, and of what was looked up for it. */

import { bestFirst, PassageIndex, readQuestion } from '../../retrieval/passages.ts'
import { isCharacterPair } from '../../retrieval/terms.ts'
import type { TextUnit } from '../../retrieval/units.ts'
import { cellsOfRow, labelCells } from '../../text/tables.ts'
import type { ReadFile } from '../report/sources.ts'
import type { Span } from '../run/context.ts'
import type { DigestItem, EvidenceItem, EvidencePassage, PartEvidence } from '../run/evidence.ts'
import { spansOf } from '../run/spans.ts'

/** Passages of a part of a question. */
const NEAREST = 3

/** Further sections about a broad part, of which no passage holds this share: with this share of the best score, and how many. */
const SECTIONS = { held: 0.5, nearly: 0.5, most: 5 } as const

/** Items that a question needs of the files. */
const NEEDED = 12

/** Characters of the longest passage that is shown whole. */
const LONGEST = 1800

/** Parts that a text is divided into at most: a page that was pasted is one. */
const MOST_PARTS = 7

/** The parts of a question, by its lines and question marks. */
export function splitQuestion(question: string): string[] {
  const lines = question.split(/[\r\n]+|(?<=[?？؟])\s+|(?<=[？])/u)
  const parts = lines.map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').trim())
  const told = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return told.length > 1 && told.length <= MOST_PARTS ? told : [question]
}

/** A passage, and what it is cited by. */
interface CitedPassage extends Pick<EvidenceItem, 'ref' | 'kind'> {
  readonly span: Pick<Span, 'text' | 'headings' | 'header' | 'lines' | 'page'>
  readonly title: string
}

/** Passages that questions are asked of. Reading them takes time that grows with their length, once. */
class Passages {
  readonly all: readonly CitedPassage[]
  readonly #index: PassageIndex
  readonly #texts: readonly string[]
  #folded: readonly string[] | undefined

  /** `texts`: all that was read, of which the passages may lack headings. */
  constructor(all: readonly CitedPassage[], texts: readonly string[]) {
    this.all = all
    this.#index = new PassageIndex(all.map(toUnit))
    this.#texts = texts
  }

  /** Places of the passages that hold something of a question, each with its score, the best first. */
  rank(question: string) {
    return bestFirst(this.#index.rank(question))
  }

  /** The best passages; of a question that none of them holds much of, those of other sections that are nearly as good, too. */
  nearest(question: string): EvidenceItem[] {
    const ranked = this.rank(question).flatMap(({ at, ...rank }) => {
      const passage = this.all[at]
      return passage ? [{ passage, ...rank, section: sectionOf(passage) }] : []
    })
    const best = ranked.slice(0, NEAREST)
    const isBroad = best.every(({ coverage }) => coverage < SECTIONS.held)
    const known = new Set(best.map(({ section }) => section))
    const least = (best[0]?.score ?? 0) * SECTIONS.nearly
    const others = ranked.filter(({ score, section }) => score >= least && !known.has(section) && known.add(section))
    return [...best, ...(isBroad ? others.slice(0, SECTIONS.most) : [])].map(({ passage }) => toFinding(passage))
  }

  /** Words of a question that stand in nothing that was read, in whatever form; of scripts without spaces none. */
  missing(question: string): string[] {
    const read = readQuestion(question)
    const { terms } = this.#index.resolve(read)
    const words = read.words.flatMap(({ term, word }, at) => {
      return terms[at]?.forms.length === 0 && !isCharacterPair(term) ? [word] : []
    })
    return words.filter((word) => /\p{L}/u.test(word) && !this.#holds(word.toLowerCase()))
  }

  #holds(word: string): boolean {
    this.#folded ??= this.#texts.map((text) => text.toLowerCase())
    return this.#folded.some((text) => text.includes(word))
  }
}

/** What a passage stands under; of a text without headings each passage is a section. */
function sectionOf({ ref, title, span: { headings, header } }: CitedPassage): string {
  return headings.length > 0 || header !== undefined ? [title, ...headings].join('\0') : ref
}

/** All that the files of a run say. */
export class FilePassages {
  readonly #passages: Passages

  constructor(files: readonly ReadFile[]) {
    const all = files.flatMap(({ alias, title = alias, spans }) =>
      [...spans]
        .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
        .map((span) => ({ ref: `${alias}::${span.id}`, kind: 'context', title, span }) as const),
    )
    this.#passages = new Passages(
      all,
      files.map(({ text }) => text),
    )
  }

  /** What the files, and what was looked up, hold on each part of a question. That they answer it is not said. */
  assess(question: string, looked: readonly EvidencePassage[]): PartEvidence[] {
    const cut = looked.flatMap(({ ref, kind, title, text }) =>
      spansOf({ text, syntax: 'markdown' }).map((span) => ({ ref, kind, title, span })),
    )
    const others = new Passages(
      cut,
      looked.map(({ title, text }) => `${title}\n${text}`),
    )
    return splitQuestion(question).map((text) => {
      const findings = [...this.#passages.nearest(text), ...others.nearest(text)]
      const absent = new Set(others.missing(text))
      const missing = this.#passages.missing(text).filter((word) => absent.has(word))
      return { text, answered: findings.length > 0 ? 'part' : 'no', findings, missing }
    })
  }

  /**
   * What a question needs beyond the digest, as items: the best passages that the digest says nothing of. Each has an id of its
   * own, which is the same whoever asks. `digested`: how many items the digest has.
   */
  itemsFor(question: string, digest: readonly DigestItem[], digested: number): DigestItem[] {
    const known = new Set(digest.flatMap(({ sources }) => sources))
    const best = splitQuestion(question).flatMap((part) => this.#passages.rank(part).slice(0, NEEDED))
    return [...new Set(best.map(({ at }) => at))].flatMap((at): DigestItem[] => {
      const passage = this.#passages.all[at]
      if (!passage || known.has(passage.ref)) return []
      const { ref, span } = passage
      return [{ id: `F${digested + at + 1}`, kind: 'fact', text: itemText(span), sources: [ref] }]
    })
  }
}

/** What a span says, on one line: of a row each cell with the name of its column. */
export function itemText({ text, header }: Pick<Span, 'text' | 'header'>): string {
  const cells = header === undefined ? undefined : labelCells(cellsOfRow(header, ''), cellsOfRow(text, header))
  return shorten((cells ?? text).replace(/\s+/g, ' ').trim())
}

function toFinding({ ref, kind, title, span }: CitedPassage): EvidenceItem {
  const { page, lines, headings } = span
  const alias = kind === 'context' ? ref.slice(0, ref.lastIndexOf('::')) : title
  const at = page === undefined ? `:${lines.start}${lines.end > lines.start ? `–${lines.end}` : ''}` : `, p. ${page}`
  const place = [kind === 'context' ? `${alias}${at}` : alias, ...headings].join(' › ')
  if (span.header !== undefined) return { text: itemText(span), ref, kind, place, is_row: true }
  return { text: shorten(span.text.trim()), ref, kind, place }
}

function toUnit({ span: { text, headings, header, lines }, title }: CitedPassage): TextUnit {
  const kind = header === undefined ? 'paragraph' : 'row'
  return {
    kind,
    text,
    start: 0,
    end: text.length,
    line: lines.start,
    trail: headings,
    lead: header ?? '',
    block: '',
    title,
  }
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text
  const cut = text.slice(0, LONGEST).toWellFormed()
  return cut.slice(0, Math.max(cut.search(/\s\S*$/), LONGEST / 2))
}
