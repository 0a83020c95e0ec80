/** The sources of a report for programs that manage references. */

import type { ReportSource, ResearchReport } from '../report/report.ts'
import { sourceCaption } from '../report/sources.ts'
import { publishedDay } from '../web/page-dates.ts'

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
