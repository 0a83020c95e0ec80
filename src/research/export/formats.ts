/** A report in one of the formats that it is exported in. */

import { ContextError } from '../../core/errors.ts'
import { storedZip } from '../../ingest/extractor.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ResearchReport } from '../report/report.ts'
import type { ReportExport } from '../answers.ts'
import type { ReportFormat } from '../settings.ts'

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
  if (format === 'bib') return (await import('./bibliography.ts')).toBibtex(report, day)
  if (format === 'csl') return (await import('./bibliography.ts')).toCsl(report, day)
  return (await import('./html.ts')).toHtml(report)
}

async function toDocx({ question, markdown }: ResearchReport): Promise<Uint8Array> {
  const { documentParts } = await import('../../text/markdown-docx.ts')
  const written = documentParts(neutralise(question).text, neutralise(markdown).text)
  return storedZip(new Map([...written].map(([name, xml]) => [name, Buffer.from(xml)] as const)))
}
