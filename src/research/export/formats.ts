/** Exports a report in one of its formats. */

import { ContextError } from '../../core/errors.ts'
import { storedZip } from '../../ingest/extractor.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ReportExport, ReportSource, ResearchReport } from '../answers.ts'
import { sourceCaption } from '../report/sources.ts'
import type { RunState } from '../run/state.ts'
import type { ReportFormat } from '../settings.ts'
import { publishedDay } from '../web/page-dates.ts'

/** A report, and when it was written (`at`, ISO 8601). */
type ReportVersion = RunState['reports'][number]

/** Prints a page of HTML as PDF. @throws ContextError `unavailable` without a browser. */
export type PagePrinter = (html: string) => Promise<Uint8Array>

interface ExportChoice {
  readonly format: ReportFormat
  /** From 1; default the newest. */
  readonly version: number | undefined
  readonly print: PagePrinter
}

/** @throws ContextError `not-found` for a missing version; `unavailable` for PDF without a browser that prints it. */
export async function renderReport(
  reports: readonly ReportVersion[],
  { format, version = reports.length, print }: ExportChoice,
): Promise<Omit<ReportExport, 'session_id'>> {
  const chosen = reports[version - 1]
  const hint = `Versions: 1 to ${reports.length}.`
  if (!chosen) throw new ContextError('not-found', `There is no version ${version} of the report.`, { hint })
  const { report, at } = chosen
  const inFormat = { format, version, versions: reports.length, report }
  const inBase64 = (bytes: Uint8Array) => {
    return { ...inFormat, text: Buffer.from(bytes).toString('base64'), encoding: 'base64' } as const
  }
  if (format === 'docx') return inBase64(await toDocx(report))
  // People and models will read the file, so invisible characters are removed.
  const { text } = neutralise(await toText(report, format, at.slice(0, 10)))
  return format === 'pdf' ? inBase64(await print(text)) : { ...inFormat, text }
}

async function toText(report: ResearchReport, format: ReportFormat, day: string): Promise<string> {
  if (format === 'md') return report.markdown
  if (format === 'bib') return toBibtex(report, day)
  if (format === 'csl') return toCsl(report, day)
  return (await import('./html.ts')).toHtml(report)
}

async function toDocx({ question, markdown }: ResearchReport): Promise<Uint8Array> {
  const { documentParts } = await import('../../text/markdown-docx.ts')
  const written = documentParts(neutralise(question).text, neutralise(markdown).text)
  return storedZip(new Map([...written].map(([name, xml]) => [name, Buffer.from(xml)] as const)))
}

/**
 * The sources as CSL-JSON: https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html. `day`: when the report
 * was written and its web pages were read. ISO 8601.
 */
export function toCsl({ sources }: Pick<ResearchReport, 'sources'>, day: string): string {
  const items = sources.map((source, at) => {
    const { url, urldate, published, author, page, ...entry } = bibliographyEntry(source, at, day)
    return {
      id: entry.id,
      type: url === undefined ? 'document' : 'webpage',
      title: entry.title,
      author: author && [{ literal: author }],
      issued: published && cslDate(published),
      URL: url,
      accessed: urldate && cslDate(urldate),
      page,
      note: entry.note,
    }
  })
  return `${JSON.stringify(items, undefined, 2)}\n`
}

/** The sources as BibTeX. `day`: as for `toCsl`. */
export function toBibtex({ sources }: Pick<ResearchReport, 'sources'>, day: string): string {
  const entries = sources.map((source, at) => {
    const { id, title, url, urldate, published, author, page, note } = bibliographyEntry(source, at, day)
    const fields = [
      // Braces keep BibTeX from splitting a name.
      ['author', author && `{${escapeTex(author)}}`],
      ['title', `{${escapeTex(title)}}`],
      ['date', published],
      ['url', url && escapeUrl(url)],
      ['urldate', urldate],
      ['pages', page],
      ['note', escapeTex(note)],
    ]
    const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]))
    return `@${url === undefined ? 'misc' : 'online'}{${id},\n${lines.join(',\n')}\n}\n`
  })
  return entries.join('\n')
}

/** The fields of a source that both formats use. */
function bibliographyEntry(source: ReportSource, at: number, day: string) {
  const { ref, title, author, page, dates = [] } = source
  const url = /^https?:\/\//i.test(ref) ? ref : undefined
  const cited = { url, urldate: url && day, published: publishedDay(dates), page: page?.toString() }
  return { id: keyOf(source, at), title, author, ...cited, note: sourceCaption(source) }
}

function cslDate(day: string) {
  return { 'date-parts': [day.split('-').map(Number)] }
}

/** The unique key of a source: letters and digits of its title or file name, and its number in the report. */
function keyOf({ ref, title }: ReportSource, at: number): string {
  const name = (/^https?:/i.test(ref) ? title : ref).normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-')
  return `${name.replace(/^-|-$/g, '').slice(0, 40) || 'source'}-${at + 1}`
}

const TEX_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Escapes a text for TeX. The result has no commands, and its braces are balanced. */
function escapeTex(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\~^]|[&%$#_{}]/g, (sign) => TEX_ESCAPES[sign] ?? `\\${sign}`)
}

function escapeUrl(url: string): string {
  return url.replace(/[\\{}\s%]/g, (sign) => (sign === '%' ? '\\%' : encodeURIComponent(sign).replaceAll('%', '\\%')))
}
