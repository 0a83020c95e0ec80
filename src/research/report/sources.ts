/** The sources that a run has read: files in spans (citable pieces of text), and looked-up passages. */

import { invalidInput, quoteValue } from '../../core/errors.ts'
import { isCharacterPair, mainTerms } from '../../retrieval/terms.ts'
import { countNoun } from '../../text/counts.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { cellsOfRow, labelCells } from '../../text/tables.ts'
import { foldTypography } from '../../text/typography.ts'
import type { ReportSource } from '../answers.ts'
import { type FileTable, tablesIn } from '../explore/tables.ts'
import type { BoundFile, EvidencePassage, Span } from '../run/evidence.ts'
import { aliasOf, firstOfEach } from '../run/slices.ts'
import type { SpanList } from '../run/spans.ts'
import { formatDates } from '../web/page-dates.ts'
import type { ClaimSource } from './claim-check.ts'
import { fillWords, type ReportWords, reportWords } from './report-words.ts'

/** A file with its text and its spans. */
export interface ReadFile extends Pick<BoundFile, 'alias' | 'title'> {
  readonly text: string
  /** Whether the text comes from printed pages, and has no Markdown marks. Default: false. */
  readonly isPrinted?: boolean
  readonly author?: string
  readonly spans: SpanList
}

/** Maximum characters of a sentence that are shown with a found word. */
const MAX_AROUND = 200

/** Maximum places of a found word that are shown: one of each file or page. */
const MAX_PLACES = 3

/** Sources of citations: spans of files, and looked-up passages. */
export class ReportSources {
  readonly #files: ReadonlyMap<string, ReadFile>
  readonly #passages: ReadonlyMap<string, EvidencePassage>
  readonly #claimSources = new Map<string, ClaimSource>()

  /** Citations of pages, by an address that is the same for all links to one page. */
  readonly #addresses: ReadonlyMap<string | undefined, string>
  #tables: readonly FileTable[] | undefined

  constructor(files: readonly ReadFile[], passages: ReadonlyMap<string, EvidencePassage>) {
    this.#files = new Map(files.map((file) => [file.alias, file]))
    this.#passages = passages
    this.#addresses = new Map(Array.from(passages.keys(), (ref) => [plainAddress(ref), ref]))
  }

  span(ref: string): Span | undefined {
    return this.#findSpan(ref)?.span
  }

  /** A span by its citation: `plan.pdf::S3`. Its number is its position, because a file may have hundreds of thousands of spans. */
  #findSpan(ref: string) {
    const at = ref.lastIndexOf('::')
    const [file, id] = [this.#files.get(ref.slice(0, at)), ref.slice(at + 2)]
    const span = file?.spans.at(Number(id.slice(1)) - 1)
    return file && span?.id === id ? { file, span: withRows(span, file) } : undefined
  }

  /** Text of a source; undefined for an unknown one. */
  readonly textOf = (ref: string): string | undefined => this.#findSpan(ref)?.span.text ?? this.#passages.get(ref)?.text

  /** A source as evidence for claims. Each call gives the same object, so that its text is folded only once. */
  readonly claimSource = (ref: string): ClaimSource | undefined => {
    const known = this.#claimSources.get(ref) ?? this.#readClaimSource(ref)
    if (known) this.#claimSources.set(ref, known)
    return known
  }

  #readClaimSource(ref: string): ClaimSource | undefined {
    const placed = this.#findSpan(ref)
    if (placed) {
      const { file, span } = placed
      const context = [...new Set([file.alias, file.title, ...span.headings])].join('\n')
      if (span.header === undefined) return { text: span.text, context }
      const text = labelCells(cellsOfRow(span.header, ''), cellsOfRow(span.text, span.header))
      return { text, context, isRow: true, rawRow: span.text }
    }
    const passage = this.#passages.get(ref)
    // The model wrote the title of a calculation, so the title proves nothing.
    const isCalculation = ref.startsWith('calculation:')
    const context = !passage || isCalculation ? '' : `${passageTitle(passage)}\n${sourceAddress(ref)}`.trimEnd()
    return passage && { text: passage.text, context }
  }

  /** Finds the source of a cited name. Accepts variants of an address, and spans named without `::` or `S`. */
  readonly resolveName = (name: string): string | undefined => {
    if (this.textOf(name) !== undefined) return name
    const [, alias = '', number = ''] = /^(.+?)(?:::|#|,\s*|\s)S?(\d+)$/i.exec(name) ?? []
    if (this.span(`${alias}::S${number}`)) return `${alias}::S${number}`
    const address = plainAddress(name)
    return address === undefined ? undefined : this.#addresses.get(address)
  }

  /**
   * Finds the words that the files and looked-up passages contain, in any form. Returns each found word with its first
   * source, and with the sentence around it.
   */
  findWords(
    words: readonly string[],
    passages: readonly EvidencePassage[],
    files: readonly string[] = [...this.#files.keys()],
  ): { readonly word: string; readonly ref: string; readonly around: string }[] {
    const texts = [...this.#textsOf(files, passages)].map(({ ref, text }) => {
      const plain = foldTypography(text)
      return { ref, plain, terms: ` ${mainTerms(plain).join(' ')} ` }
    })
    return words.flatMap((word) => {
      const substring = foldTypography(word).toLowerCase()
      const phrase = ` ${mainTerms(substring).join(' ')} `
      // A sign has no term. A character of a script without spaces has terms only together with its neighbours.
      const isSubstring = phrase.trim() === '' || [...substring].some((one) => isCharacterPair(one + one))
      const isIn = (plain: string, terms = ` ${mainTerms(plain).join(' ')} `) =>
        isSubstring ? plain.toLowerCase().includes(substring) : terms.includes(phrase)
      const found = texts.filter(({ plain, terms }) => isIn(plain, terms))
      return firstOfEach(found, ({ ref }) => aliasOf(ref) || ref)
        .slice(0, MAX_PLACES)
        .map(({ ref, plain }) => {
          const sentence = sentencesOf(plain).find(({ text }) => isIn(text))?.text ?? plain
          // A sentence that contains only another form of the word is shown from its beginning.
          const at = Math.max(0, sentence.toLowerCase().indexOf(substring) - MAX_AROUND / 2)
          return { word, ref, around: sentence.slice(at, at + MAX_AROUND).toWellFormed() }
        })
    })
  }

  *#textsOf(files: readonly string[], passages: readonly EvidencePassage[]) {
    for (const { alias, spans } of this.#files.values()) {
      let above: readonly string[] = []
      for (const { id, text, headings } of files.includes(alias) ? spans : []) {
        const newHeadings = headings.filter((heading, level) => heading !== above[level])
        above = headings
        const ref = `${alias}::${id}`
        if (newHeadings.length > 0) yield { ref, text: newHeadings.join(' > ') }
        yield { ref, text }
      }
    }
    yield* passages
  }

  /**
   * Names the searched sources: `2 files (a.md, b.md), 9 pages`, `all 6 files`. `fileNames`: default all files.
   *
   * @throws ContextError for an unknown file, or without any source.
   */
  describeSearched(fileNames: readonly string[] | undefined, passages: readonly EvidencePassage[]): string {
    const names = [...new Set(fileNames ?? this.#files.keys())]
    const unknownName = names.find((name) => !this.#files.has(name))
    if (unknownName !== undefined) throw invalidInput(`There is no file ${quoteValue(unknownName)}.`)
    const files = countNoun(names.length, 'file')
    const shown = `${files} (${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''})`
    const isAll = names.length > 1 && names.length === this.#files.size
    const refs = [...new Set(passages.map(({ ref }) => ref))]
    const pages = refs.filter((ref) => plainAddress(ref) !== undefined)
    const searched = [
      ...(names.length > 0 ? [isAll ? `all ${files}` : shown] : []),
      ...(pages.length > 0 ? [countNoun(pages.length, 'page')] : []),
      ...(refs.length > pages.length ? [countNoun(refs.length - pages.length, 'passage')] : []),
    ]
    if (searched.length === 0) throw invalidInput('No source was read yet. Search first.')
    return searched.join(', ')
  }

  get tables(): readonly FileTable[] {
    this.#tables ??= tablesIn(this.#files.values())
    return this.#tables
  }

  sourceOf(ref: string): ReportSource | undefined {
    const placed = this.#findSpan(ref)
    return placed ? fromFile(ref, placed.file, placed.span) : this.#passages.get(ref)
  }
}

/** Maximum characters of a passage with the rows of its table. */
const MAX_TABLE_LENGTH = 4000

/** A span. If it ends with the head of a Markdown table, the rows below are included, although they are spans, too. */
function withRows(span: Span, { text, spans }: ReadFile): Span {
  let { end, lines } = span
  for (let at = Number(span.id.slice(1)); span.header === undefined; at++) {
    const row = spans.at(at)
    // The head of a CSV file represents the whole file, so its rows are not included.
    if (row?.header === undefined || row.header === span.text || row.end - span.start > MAX_TABLE_LENGTH) break
    ;[end, lines] = [row.end, { ...lines, end: row.lines.end }]
  }
  return { ...span, end, lines, text: text.slice(span.start, end) }
}

/** The title of a passage with its author and dates, as models see it. */
export function passageTitle({ title, author = '', dates = [] }: EvidencePassage): string {
  return [title, author, formatDates(dates, reportWords('', 'en').days)].filter((one) => one !== '').join(', ')
}

/** The address of a page without the parts that differ between links to it; undefined if it is not a web address. */
function plainAddress(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, pathname, search } = new URL(url)
  return `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`
}

function fromFile(ref: string, file: ReadFile, span: Span): ReportSource {
  const { page, lines, start, end, headings, text } = span
  const { title, author, alias } = file
  const place = { ...(page !== undefined && { page }), lines, offsets: { start, end }, headings }
  return { ref, kind: 'context', title, ...(author && { author }), file: alias, ...place, text }
}

/** The address of a source; `''` for a source that the run made itself. */
export function sourceAddress(ref: string): string {
  return /^(?:absence|calculation):/.test(ref) ? '' : ref
}

/** Place of a source in words: `plan.pdf, page 2, under “Costs”`. */
export function sourceCaption(source: ReportSource, words = reportWords('', 'en')): string {
  const { ref, file, page, lines, headings = [], title, author, dates = [] } = source
  const by = author === undefined ? [] : [author]
  if (file === undefined) {
    const parts = [title === ref ? '' : title, ...by, sourceAddress(ref), formatDates(dates, words.days)]
    return parts.filter((part) => part !== '').join(', ')
  }
  const where = page === undefined ? formatLines(lines, words) : fillWords(words.page, page)
  const under = headings.length > 0 ? [fillWords(words.under, headings.join(' > '))] : []
  return [file, ...by, where, ...under].join(', ')
}

function formatLines(lines: ReportSource['lines'], words: ReportWords): string {
  if (!lines) return words.somewhere
  const { start, end } = lines
  return start === end ? fillWords(words.line, start) : fillWords(words.lines, `${start}–${end}`)
}
