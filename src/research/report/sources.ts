import { cellsOfRow } from '../../text/tables.ts'
import type { BoundFile, Span } from '../run/context.ts'
import type { EvidencePassage } from '../run/evidence.ts'
import type { SpanList } from '../run/span-table.ts'
import { datesTold } from '../web/page-dates.ts'
import { type Captions, captionsIn } from './captions.ts'
import type { ClaimSource } from './claim-check.ts'
import { plainLine } from './plain.ts'
import type { ReportSource } from './report.ts'
import { fillWords } from './report-words.ts'

/** A file with its text and its spans. */
export interface ReadFile extends Pick<BoundFile, 'alias' | 'title'> {
  readonly text: string
  readonly isCsv: boolean
  /** Whether it is the text of printed pages, which has no marks of Markdown. Default: no. */
  readonly isPrinted?: boolean
  readonly spans: SpanList
}

/** A span in its file. */
interface PlacedSpan {
  readonly file: ReadFile
  readonly span: Span
}

/** Where citations lead: spans of files, and what was looked up elsewhere. */
export class ReportSources {
  readonly #files: ReadonlyMap<string, ReadFile>
  readonly #passages: ReadonlyMap<string, EvidencePassage>

  constructor(files: readonly ReadFile[], passages: ReadonlyMap<string, EvidencePassage>) {
    this.#files = new Map(files.map((file) => [file.alias, file]))
    this.#passages = passages
  }

  span(ref: string): Span | undefined {
    return this.#find(ref)?.span
  }

  /** `plan.pdf::S3`. Spans are numbered in their order: a file may have hundreds of thousands, of which few are cited. */
  #find(ref: string): PlacedSpan | undefined {
    const at = ref.lastIndexOf('::')
    const [file, id] = [this.#files.get(ref.slice(0, at)), ref.slice(at + 2)]
    const span = file?.spans.at(Number(id.slice(1)) - 1)
    return file && span?.id === id ? { file, span } : undefined
  }

  /** What stands there; undefined for what is nowhere. */
  readonly textOf = (ref: string): string | undefined => this.#find(ref)?.span.text ?? this.#passages.get(ref)?.text

  /** What a claim that cites it is held against. */
  readonly claimSource = (ref: string): ClaimSource | undefined => {
    const found = this.#find(ref)
    if (found) {
      const { file, span } = found
      const context = [file.alias, file.title ?? '', ...span.headings, span.header ?? ''].join('\n')
      // The commas of CSV are of no number.
      const text = span.header === undefined ? span.text : cellsOfRow(span.text, span.header).join('; ')
      return { text, context }
    }
    const passage = this.#passages.get(ref)
    return passage && { text: passage.text, context: `${passage.title}\n${ref}` }
  }

  of(ref: string): ReportSource | undefined {
    const found = this.#find(ref)
    if (found) return fromFile(ref, found)
    const passage = this.#passages.get(ref)
    if (!passage) return undefined
    const { kind, title, text, dates } = passage
    return { ref, kind, title, text, ...(dates && { dates }) }
  }
}

function fromFile(ref: string, { file, span }: PlacedSpan): ReportSource {
  const { page, lines, start, end, headings, text } = span
  return {
    ref,
    kind: 'context',
    title: file.title ?? file.alias,
    file: file.alias,
    ...(page !== undefined && { page }),
    lines,
    offsets: { start, end },
    headings,
    text,
  }
}

/** Where a source is, in words: `plan.pdf, page 2, under “Costs”`. */
export function sourceCaption(source: ReportSource, captions = captionsIn('en')): string {
  const { ref, file, page, lines, headings = [], title, dates = [] } = source
  if (file === undefined) {
    const parts = [title === '' || title === ref ? '' : plainLine(title), ref, datesTold(dates, captions.days)]
    return parts.filter((part) => part !== '').join(', ')
  }
  const where = page === undefined ? linesTold(lines, captions) : fillWords(captions.page, page)
  const under = headings.length > 0 ? [fillWords(captions.under, plainLine(headings.join(' > ')))] : []
  return [plainLine(file), where, ...under].join(', ')
}

function linesTold(lines: ReportSource['lines'], captions: Captions): string {
  if (!lines) return captions.somewhere
  const { start, end } = lines
  return start === end ? fillWords(captions.line, start) : fillWords(captions.lines, `${start}–${end}`)
}
