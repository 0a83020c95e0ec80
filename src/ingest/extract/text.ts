import { decode } from '../../text/decode.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { plainHeading } from '../../text/headings.ts'
import { parseBlocks } from '../../text/markdown.ts'
import { parseFrontMatter } from '../../text/metadata.ts'
import { lastPathSegment } from '../../text/paths.ts'
import { recordsIn } from '../../text/tables.ts'
import {
  decodingWarnings,
  EXTRACT_LIMITS,
  type ExtractedContent,
  type Extraction,
  type Format,
  fileTooLarge,
  notExtracted,
  toExtraction,
} from '../extracted.ts'
import { formatOf, isParsed } from './format.ts'

/** What the reader of a format finds in a text besides the text itself. */
type FormatFacts = Partial<Pick<ExtractedContent, 'format' | 'title' | 'metadata' | 'warnings'>>

/**
 * The decoded text of Markdown, prose, code, CSV and JSON. For HTML, PDF and office files, which need an `Extractor`,
 * the result is `failed`. `limits.textBytes`: 8 MiB by default. Never throws.
 */
export function extractText(path: string, bytes: Uint8Array, limits = EXTRACT_LIMITS): Extraction {
  if (bytes.length > limits.textBytes) return fileTooLarge(bytes.length, limits.textBytes)
  const format = formatOf(path, bytes)
  if (format === undefined) return notExtracted('binary', 'It is not text, and of no known format.')
  if (isParsed(format)) return notExtracted('failed', `It is ${format.toUpperCase()}, which only a worker reads.`)
  const decoded = decode(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const facts = READERS[format]?.(decoded.text, path) ?? {}
  const fields = { format, title: lastPathSegment(path), text: decoded.text, metadata: {}, ...facts }
  const warnings = [...decodingWarnings(decoded.replaced), ...(facts.warnings ?? [])]
  return toExtraction(path, { ...fields, syntax: format === 'markdown' ? 'markdown' : 'plain', warnings }, limits)
}

const READERS: Partial<Record<Format, (text: string, path: string) => FormatFacts>> = {
  markdown: readMarkdown,
  csv: readCsv,
  json: readJson,
}

function readMarkdown(text: string): FormatFacts {
  const { matter, body } = splitFrontMatter(text)
  const front = matter === undefined ? undefined : parseFrontMatter(matter)
  const matterTitle = front?.values.get('title')
  const title =
    typeof matterTitle === 'string' && matterTitle.trim() !== '' ? matterTitle : firstHeading(text.slice(body))
  return { ...(title !== undefined && { title }), ...(front && { metadata: front.metadata, warnings: front.warnings }) }
}

/**
 * The header of a CSV file as metadata. The rows do not repeat the header, which would not help the ranking, and would
 * change the line numbers.
 */
function readCsv(text: string, path: string): FormatFacts {
  const columns = headerColumns(text, path.toLowerCase().endsWith('.tsv') ? '\t' : undefined)
  return columns.length > 0 ? { metadata: { columns: JSON.stringify(columns) } } : {}
}

function readJson(text: string): FormatFacts {
  try {
    JSON.parse(text)
    return {}
  } catch {
    return { format: 'plain', warnings: ['It is not valid JSON, and is read as plain text.'] }
  }
}

/** Maximum characters of a header. */
const MAX_HEADER = 64 * 1024

/** The fields of the first record; none for an invalid CSV. Default delimiter: the most frequent delimiter of the first line. */
export function headerColumns(text: string, delimiter?: string): readonly string[] {
  const head = text.slice(0, MAX_HEADER)
  const [header] = recordsIn(head, delimiter)
  if (!header) return []
  const unquoted = head.slice(header.start, header.end).replace(/"(?:[^"]|"")*"/g, '')
  return unquoted.includes('"') ? [] : header.cells
}

/** Characters of a text that are searched for its first heading. */
const HEADING_SEARCH = 64 * 1024

/**
 * The first heading of a Markdown text without front matter, at any level, but not in a list or quote; without markup.
 * Undefined if the first 64 KiB have none.
 */
export function firstHeading(body: string): string | undefined {
  const { tokens } = parseBlocks(body.slice(0, HEADING_SEARCH))
  const titles = tokens.flatMap(({ type, level }, index) =>
    type === 'heading_open' && level === 0 ? [plainHeading(tokens[index + 1]?.content ?? '')] : [],
  )
  return titles.find((title) => title !== '')
}
