import { getDocumentProxy } from 'unpdf'
import {
  type Extraction,
  type ExtractLimits,
  joinPages,
  libraryReason,
  notExtracted,
  toExtraction,
} from '../extracted.ts'
import { layOutLines, type PdfCell, type PdfLine, repeatHeaders } from './pdf-tables.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** Names of metadata, by the names of PDF properties. */
const FIELDS = { Title: 'title', Author: 'author', Subject: 'subject', Keywords: 'keywords', CreationDate: 'created' }

/** Maximum pages without text that the warning names. */
const MAX_NAMED_PAGES = 10

/** Reads the text of a PDF file, page by page. Draws nothing, loads no fonts, images or links, and runs no scripts. */
export async function readPdf(path: string, bytes: Uint8Array, limits: ExtractLimits): Promise<Extraction> {
  const pdf = await openPdf(bytes)
  if ('ok' in pdf) return pdf
  try {
    const pages = withoutRunningLines(await pageLines(pdf, limits.textBytes))
    const texts = repeatHeaders(pages.map((lines) => layOutLines(lines).trim()))
    const { title = '', ...metadata } = await propertiesOf(pdf)
    const document = { title, metadata: { ...metadata, pages: String(pdf.numPages) }, warnings: emptyPages(texts) }
    return toExtraction(path, { ...document, ...joinPages(texts), format: 'pdf', syntax: 'plain' }, limits)
  } finally {
    // Not awaited, because it may never resolve for a broken file.
    void pdf.loadingTask.destroy().catch(() => undefined)
  }
}

async function openPdf(bytes: Uint8Array): Promise<Pdf | ReturnType<typeof notExtracted>> {
  const quietOptions = { verbosity: 0, useSystemFonts: false, disableFontFace: true }
  const closedOptions = { useWasm: false, useWorkerFetch: false, enableXfa: false }
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { ...quietOptions, ...closedOptions })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    if (isLocked) return notExtracted('unreadable', 'It is locked with a password.')
    return notExtracted('failed', `It is not a PDF that can be read: ${libraryReason(error)}`)
  }
}

/** The lines of each page in order, up to the page that exceeds the limit of characters. */
async function pageLines(pdf: Pdf, maxCharacters: number): Promise<PdfLine[][]> {
  const pages: PdfLine[][] = []
  let remaining = maxCharacters
  for (let number = 1; number <= pdf.numPages && remaining >= 0; number++) {
    const lines = await linesOfPage(pdf, number)
    pages.push(lines)
    remaining -= lines.reduce((sum, { text }) => sum + text.length + 1, -1)
  }
  return pages
}

/** The lines of a page; none for a broken page, because other pages may be readable. */
async function linesOfPage(pdf: Pdf, number: number): Promise<PdfLine[]> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return linesOf(items.flatMap((item) => ('str' in item ? [item] : [])))
  } catch {
    return []
  }
}

/** Minimum share and number of pages that begin (or end) with a line, so that the line counts as header (or footer). */
const RUNNING_LINE = { share: 0.6, minPages: 4 } as const

/** Drops the header and the footer of each page: a first or last line that most pages share except for its numbers. */
function withoutRunningLines(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const edges = [0, -1] as const
  const [header, footer] = edges.map((edge) => runningLine(pages, edge))
  return pages.map((lines) => {
    const from = header !== undefined && withoutNumbers(lines[0]?.text) === header ? 1 : 0
    const isLast = footer !== undefined && lines.length > from && withoutNumbers(lines.at(-1)?.text) === footer
    return lines.slice(from, isLast ? -1 : lines.length)
  })
}

function runningLine(pages: readonly (readonly PdfLine[])[], edge: 0 | -1): string | undefined {
  const counts = new Map<string, number>()
  for (const lines of pages) {
    const line = withoutNumbers(lines.at(edge)?.text)
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  counts.delete('')
  const [line, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as [string, number])
  return count >= Math.max(RUNNING_LINE.minPages, pages.length * RUNNING_LINE.share) ? line : undefined
}

function withoutNumbers(line = ''): string {
  return line.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim()
}

function emptyPages(texts: readonly string[]): string[] {
  const blanks = texts.flatMap((text, index) => (text === '' ? [index + 1] : []))
  if (blanks.length === 0) return []
  const shown = `${blanks.slice(0, MAX_NAMED_PAGES).join(', ')}${blanks.length > MAX_NAMED_PAGES ? ' …' : ''}`
  return [`Pages without readable text, which may be scanned: ${shown} (${blanks.length} of ${texts.length}).`]
}

async function propertiesOf(pdf: Pdf): Promise<Record<string, string>> {
  const info: Record<string, unknown> = { ...(await pdf.getMetadata()).info }
  const texts = Object.entries(FIELDS).flatMap(([key, name]) => {
    const value = info[key]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries(texts)
}

/** A piece of text from pdf.js. */
interface PdfItem {
  readonly str: string
  readonly dir: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly fontName: string
  readonly hasEOL: boolean
}

/** Minimum gap between cells, in line heights. Justified text has gaps of half a height. */
const MIN_GAP = 0.9

/** The lines of a page, without empty lines at both ends. */
function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = []
  let openItems: PdfItem[] = []
  for (const item of items) {
    openItems.push(item)
    if (!item.hasEOL) continue
    lines.push(lineOf(openItems))
    openItems = []
  }
  lines.push(lineOf(openItems))
  const start = lines.findIndex(({ text }) => text !== '')
  const end = lines.findLastIndex(({ text }) => text !== '') + 1
  // Without text, `start` is -1 and `end` is 0, so the slice is empty.
  return lines.slice(start, end).map((line, at) => (at === 0 ? { ...line, text: line.text.trimStart() } : line))
}

function lineOf(items: readonly PdfItem[]): PdfLine {
  const text = items
    .map(({ str }) => str)
    .join('')
    .trimEnd()
  const filled = items.filter(({ str }) => str.trim() !== '')
  const height = filled.reduce((most, item) => Math.max(most, item.height), 0)
  const isPlain = filled.every(({ dir, transform }) => dir === 'ltr' && transform[1] === 0 && (transform[0] ?? 0) > 0)
  const cells = isPlain && height > 0 ? cellsOf(items, height * MIN_GAP) : []
  return { text, baseline: filled[0]?.transform[5] ?? 0, height, cells }
}

function cellsOf(items: readonly PdfItem[], gap: number): PdfCell[] {
  const cells: PdfCell[] = []
  let pendingSpace = ''
  for (const { str, transform, width, fontName } of items) {
    if (str.trim() === '') {
      pendingSpace += str
      continue
    }
    const [left = 0, baseline = 0] = transform.slice(4)
    const lastCell = cells.at(-1)
    const startsCell = lastCell === undefined || left - lastCell.right > gap
    if (startsCell) cells.push({ text: str.trim(), left, right: left + width, baseline, font: fontName })
    else {
      const right = Math.max(lastCell.right, left + width)
      cells[cells.length - 1] = { ...lastCell, text: `${lastCell.text}${pendingSpace}${str}`.trimEnd(), right }
    }
    pendingSpace = ''
  }
  return cells
}
