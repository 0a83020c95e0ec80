import type { BoundFile, Span } from '../run/context.ts'
import type { EvidencePassage } from '../run/evidence.ts'
import type { ClaimSource } from './claim-check.ts'
import { plainLine } from './plain.ts'
import type { ReportSource } from './report.ts'

/** A file with its text and its spans. */
export interface ReadFile extends Pick<BoundFile, 'alias' | 'title'> {
  readonly text: string
  readonly isCsv: boolean
  readonly spans: readonly Span[]
}

/** Where citations lead: spans of files, and what was looked up elsewhere. */
export class ReportSources {
  readonly #spans = new Map<string, { readonly file: ReadFile; readonly span: Span }>()
  readonly #passages: ReadonlyMap<string, EvidencePassage>

  constructor(files: readonly ReadFile[], passages: ReadonlyMap<string, EvidencePassage>) {
    for (const file of files) {
      for (const span of file.spans) this.#spans.set(`${file.alias}::${span.id}`, { file, span })
    }
    this.#passages = passages
  }

  span(ref: string): Span | undefined {
    return this.#spans.get(ref)?.span
  }

  /** What stands there; undefined for what is nowhere. */
  readonly textOf = (ref: string): string | undefined =>
    this.#spans.get(ref)?.span.text ?? this.#passages.get(ref)?.text

  /** What a claim that cites it is held against. */
  readonly claimSource = (ref: string): ClaimSource | undefined => {
    const found = this.#spans.get(ref)
    if (found) {
      const { file, span } = found
      const context = [file.alias, file.title ?? '', ...span.headings, span.header ?? ''].join('\n')
      return { text: span.text, context }
    }
    const passage = this.#passages.get(ref)
    return passage && { text: passage.text, context: `${passage.title}\n${ref}` }
  }

  of(ref: string): ReportSource | undefined {
    const found = this.#spans.get(ref)
    if (found) return fromFile(ref, found)
    const passage = this.#passages.get(ref)
    return passage && { ref, kind: passage.kind, title: passage.title, text: passage.text }
  }
}

function fromFile(ref: string, { file, span }: { readonly file: ReadFile; readonly span: Span }): ReportSource {
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
export function sourceCaption({ ref, file, page, lines, headings = [], title }: ReportSource): string {
  if (file === undefined) return title === '' || title === ref ? ref : `${plainLine(title)}, ${ref}`
  const where = page === undefined ? linesTold(lines) : `page ${page}`
  const under = headings.length > 0 ? `, under “${plainLine(headings.join(' > '))}”` : ''
  return `${plainLine(file)}, ${where}${under}`
}

function linesTold(lines: ReportSource['lines']): string {
  if (!lines) return 'somewhere'
  return lines.start === lines.end ? `line ${lines.start}` : `lines ${lines.start}–${lines.end}`
}
