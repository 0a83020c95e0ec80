/** A report in one of the formats that it is exported in. */

import { ContextError } from '../../core/errors.ts'
import { storedZip } from '../../ingest/extractor.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ReportExport, ReportSource, ResearchReport } from '../answers.ts'
import { sourceCaption } from '../report/sources.ts'
import type { ReportFormat } from '../settings.ts'
import { publishedDay } from '../web/page-dates.ts'

/** A report, and when it was made. */
export interface ReportVersion {
  readonly at: string
  readonly report: ResearchReport
}

/** Prints a page of HTML as PDF. @throws ContextError `unavailable` where nothing can. */
export type PagePrinter = (html: string) => Promise<Uint8Array>

interface ExportChoice {
  readonly format: ReportFormat
  /** From 1; default the newest. */
  readonly version: number | undefined
  readonly print: PagePrinter
}

/** @throws ContextError `not-found` for a version that there is none of; `unavailable` for PDF where no browser prints it. */
export async function renderReport(
  reports: readonly ReportVersion[],
  { format, version = reports.length, print }: ExportChoice,
): Promise<Omit<ReportExport, 'session_id'>> {
  const found = reports[version - 1]
  const hint = `There are ${reports.length}, from 1.`
  if (!found) throw new ContextError('not-found', `There is no version ${version} of the report.`, { hint })
  const { report, at } = found
  const content = await contentAs(report, { format, day: at.slice(0, 10), print })
  const which = { format, version, versions: reports.length, report }
  if (typeof content === 'string') return { ...which, text: content }
  return { ...which, text: Buffer.from(content).toString('base64'), encoding: 'base64' }
}

/** `day`: on which it was made. A report is a file that is given to people and models: it holds nothing that is not seen. */
async function contentAs(
  report: ResearchReport,
  { format, day, print }: { readonly format: ReportFormat; readonly day: string; readonly print: PagePrinter },
): Promise<string | Uint8Array> {
  if (format === 'docx') return toDocx(report)
  const { text } = neutralise(await textAs(report, format, day))
  return format === 'pdf' ? print(text) : text
}

async function textAs(report: ResearchReport, format: ReportFormat, day: string): Promise<string> {
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

interface CslDate {
  readonly 'date-parts': readonly (readonly number[])[]
}

/** An entry of CSL-JSON: https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html */
interface CslItem {
  readonly id: string
  readonly type: 'webpage' | 'document'
  readonly title: string
  readonly author?: readonly { readonly literal: string }[]
  readonly issued?: CslDate
  readonly URL?: string
  readonly accessed?: CslDate
  readonly page?: string
  readonly note: string
}

/** `day`: of the report, on which its web pages were read. ISO 8601. */
export function toCsl({ sources }: Pick<ResearchReport, 'sources'>, day: string): string {
  const items = sources.map((source, at): CslItem => {
    const url = webAddressOf(source)
    const published = publishedDay(source.dates ?? [])
    return {
      id: keyOf(source, at),
      type: url === undefined ? 'document' : 'webpage',
      title: source.title,
      ...(source.author !== undefined && { author: [{ literal: source.author }] }),
      ...(published !== undefined && { issued: cslDate(published) }),
      ...(url !== undefined && { URL: url, accessed: cslDate(day) }),
      ...(source.page !== undefined && { page: String(source.page) }),
      note: sourceCaption(source),
    }
  })
  return `${JSON.stringify(items, undefined, 2)}\n`
}

/** As `toCsl`. */
export function toBibtex({ sources }: Pick<ResearchReport, 'sources'>, day: string): string {
  const entries = sources.map((source, at) => {
    const url = webAddressOf(source)
    const published = publishedDay(source.dates ?? [])
    const fields = [
      // In braces a name is not taken apart.
      ...(source.author === undefined ? [] : [['author', `{${escapeTex(source.author)}}`]]),
      ['title', `{${escapeTex(source.title)}}`],
      ...(published === undefined ? [] : [['date', published]]),
      ...(url === undefined
        ? []
        : [
            ['url', escapeUrl(url)],
            ['urldate', day],
          ]),
      ...(source.page === undefined ? [] : [['pages', String(source.page)]]),
      ['note', escapeTex(sourceCaption(source))],
    ]
    const lines = fields.map(([name, value]) => `  ${name} = {${value}}`)
    return `@${url === undefined ? 'misc' : 'online'}{${keyOf(source, at)},\n${lines.join(',\n')}\n}\n`
  })
  return entries.join('\n')
}

function cslDate(day: string): CslDate {
  return { 'date-parts': [day.split('-').map(Number)] }
}

function webAddressOf({ ref }: ReportSource): string | undefined {
  return /^https?:\/\//i.test(ref) ? ref : undefined
}

/** Letters and digits of what is cited, with its number: no two are the same. */
function keyOf({ ref, title }: ReportSource, at: number): string {
  const name = (/^https?:/i.test(ref) ? title : ref).normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-')
  return `${name.replace(/^-|-$/g, '').slice(0, 40) || 'source'}-${at + 1}`
}

const TEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Text that TeX runs nothing of, with balanced braces. */
function escapeTex(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\~^]|[&%$#_{}]/g, (sign) => TEX[sign] ?? `\\${sign}`)
}

function escapeUrl(url: string): string {
  return url.replace(/[\\{}\s%]/g, (sign) => (sign === '%' ? '\\%' : encodeURIComponent(sign).replace('%', '\\%')))
}
