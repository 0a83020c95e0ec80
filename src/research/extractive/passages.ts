/** Finds the passages nearest to a question, in the files of a run and in looked-up pages. */

import { readWordVectors } from '../../files/home.ts'
import { NearestPassages } from '../../retrieval/nearest-passages.ts'
import type { TextUnit } from '../../retrieval/units.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { splitQuestion } from '../../text/questions.ts'
import { plainRow } from '../../text/tables.ts'
import type { ReadFile } from '../report/sources.ts'
import type { EvidenceItem, EvidencePassage, PartEvidence, Span } from '../run/evidence.ts'
import { aliasOf, firstOfEach } from '../run/slices.ts'
import { spansOf } from '../run/spans.ts'

/** The shown part of a passage: at most 1800 characters, cut at the end of a word if a word ends after the 900th. */
const SHOWN_PART = /^.{900,1800}(?=\s|$)|^.{0,1800}/su

/** A passage with its citation. */
interface CitedPassage extends Pick<EvidenceItem, 'ref' | 'kind'> {
  readonly span: Span
  readonly title: string
}

/**
 * A search in passages that can be cited. `texts`: the whole texts that were read. They contain the headings, too,
 * which passages may lack.
 */
function openPassages(all: readonly CitedPassage[], texts: readonly string[]) {
  const ranking = new NearestPassages(all.map(toUnit), readWordVectors)
  const searched = texts.map((text) => text.toLowerCase())
  const isInTexts = (word: string) => searched.some((text) => text.includes(word.toLowerCase()))
  return {
    nearest: (question: string) => ranking.nearest(question).flatMap(({ at }) => all.slice(at, at + 1).map(toFinding)),
    missing: (question: string) => ranking.missing(question).flatMap(({ word }) => (isInTexts(word) ? [] : [word])),
  }
}

/** The passages of a run's files, in which questions are searched. */
export class FilePassages {
  readonly #passages: ReturnType<typeof openPassages>

  constructor(files: readonly ReadFile[]) {
    const all = files.flatMap(({ alias, title, text, spans, isPrinted = false }) => {
      // Front matter describes a file, and is not a passage of it.
      const body = isPrinted ? 0 : splitFrontMatter(text).body
      return withoutHeaders([...spans])
        .filter(({ start }) => start >= body)
        .map((span) => ({ ref: `${alias}::${span.id}`, kind: 'context', title, span }) as const)
    })
    const texts = files.map(({ text }) => text)
    this.#passages = openPassages(all, texts)
  }

  /** The nearest passages to each part of a question. They need not answer it. */
  assess(question: string, lookedUp: readonly EvidencePassage[]): PartEvidence[] {
    const cited = lookedUp.flatMap(({ ref, kind, title, text }) =>
      spansOf({ text, syntax: 'markdown' }).map((span) => ({ ref, kind, title, span })),
    )
    const texts = lookedUp.map(({ title, text }) => `${title}\n${text}`)
    const others = openPassages(cited, texts)
    return splitQuestion(question).map((text) => {
      // A collection may hold the same file.
      const findings = uniqueTexts([...this.#passages.nearest(text), ...others.nearest(text)])
      const absent = new Set(others.missing(text))
      const missing = this.#passages.missing(text).filter((word) => absent.has(word))
      return { text, answered: findings.length > 0 ? 'part' : 'no', findings, missing }
    })
  }
}

/** Drops repeated passages, except passages of an earlier session. */
function uniqueTexts(findings: readonly EvidenceItem[]): EvidenceItem[] {
  return firstOfEach(findings, ({ kind, ref, text }) => (kind === 'earlier' ? ref : '') + text.replace(/\s+/g, ' '))
}

/** Drops spans without letters and digits, and rows that name columns, because each row below repeats the names. */
function withoutHeaders(spans: readonly Span[]): Span[] {
  return spans.filter(({ text }, at) => {
    const header = spans[at + 1]?.header
    return /[\p{L}\p{N}]/u.test(text) && (header === undefined || header === '' || !text.startsWith(header))
  })
}

/** Text of a span on one line: for a row, each cell with the name of its column. */
export function itemText({ text, header }: Pick<Span, 'text' | 'header'>): string {
  return shorten((header === undefined ? text : plainRow(text, header)).replace(/\s+/g, ' ').trim())
}

function toFinding({ ref, kind, title, span }: CitedPassage): EvidenceItem {
  const { page, lines, headings } = span
  const at = page === undefined ? `:${lines.start}${lines.end > lines.start ? `–${lines.end}` : ''}` : `, p. ${page}`
  const source = kind === 'context' ? `${aliasOf(ref)}${at}` : title
  const cited = { ref, kind, place: [source, ...headings].join(' › ') }
  if (span.header !== undefined) return { ...cited, text: itemText(span), is_row: true }
  return { ...cited, text: shorten(span.text.trim()) }
}

function toUnit({ span: { text, headings: trail, header, lines }, title }: CitedPassage): TextUnit {
  const kind = header === undefined ? 'paragraph' : 'row'
  return { kind, text, start: 0, end: text.length, line: lines.start, trail, lead: header ?? '', title }
}

function shorten(text: string): string {
  return SHOWN_PART.exec(text)?.[0] ?? ''
}
