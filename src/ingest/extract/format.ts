import { utf16EncodingOf } from '../../text/decode.ts'
import { lastPathSegment } from '../../text/paths.ts'
import type { ExtractLimits, Format } from '../extracted.ts'

const EXTENSIONS: Readonly<Record<Exclude<Format, 'code'>, readonly string[]>> = {
  markdown: ['md', 'markdown', 'mdown', 'mkd', 'mdx', 'mdc', 'qmd', 'rmd'],
  plain: ['txt', 'text', 'log', 'rst', 'adoc', 'asciidoc', 'org', 'jsonl', 'ndjson', 'srt', 'vtt'],
  csv: ['csv', 'tsv'],
  json: ['json', 'geojson', 'ipynb', 'webmanifest'],
  html: ['html', 'htm', 'xhtml'],
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  xlsx: ['xlsx', 'xlsm'],
  pptx: ['pptx', 'pptm'],
  odt: ['odt'],
}
const BY_EXTENSION: ReadonlyMap<string, Format> = new Map(
  Object.entries(EXTENSIONS).flatMap(([format, names]) => names.map((name) => [name, format as Format] as const)),
)

/** Formats that only a worker parses. Other formats are texts. */
const PARSED: readonly Format[] = ['html', 'pdf', 'docx', 'xlsx', 'pptx', 'odt']

/** Matches names of code files without an extension. Other such files, like README and LICENSE, are prose. */
const CODE_NAMES = /^(?:make|docker|container|just|rake|gem|brew|vagrant|proc|cake)file$|^jenkinsfile|^\./i

/**
 * The format of a file, by its extension, else by its first bytes (`head`); undefined for a binary file. Text with NUL is
 * binary, except UTF-16 with a byte order mark.
 */
export function formatOf(path: string, head: Uint8Array): Format | undefined {
  const name = lastPathSegment(path)
  const dot = name.lastIndexOf('.')
  const byExtension = dot > 0 ? BY_EXTENSION.get(name.slice(dot + 1).toLowerCase()) : undefined
  if (byExtension !== undefined && isParsed(byExtension)) return byExtension
  const format = byExtension ?? formatByContent(head) ?? (dot > 0 || CODE_NAMES.test(name) ? 'code' : 'plain')
  return isParsed(format) || utf16EncodingOf(head) || !head.includes(0) ? format : undefined
}

/** Whether only a worker parses the format. */
export function isParsed(format: Format): boolean {
  return PARSED.includes(format)
}

function formatByContent(head: Uint8Array): Format | undefined {
  const start = latin1(head.subarray(0, 512))
  if (start.startsWith('%PDF-')) return 'pdf'
  if (start.startsWith('PK\x03\x04')) {
    // An archive contains the names of its parts uncompressed.
    const bytes = latin1(head)
    return ARCHIVES.find(([mark]) => bytes.includes(mark))?.[1]
  }
  if (/^(?:\xEF\xBB\xBF)?\s*<(?:!doctype\s+html|html)[\s>]/i.test(start)) return 'html'
  return start.startsWith('#!') ? 'code' : undefined
}

const ARCHIVES: readonly (readonly [string, Format])[] = [
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
]

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** A file for a worker process to read. The worker answers with an `Extraction`. */
export interface ExtractTask {
  readonly path: string
  readonly format: Format
  readonly bytes: Uint8Array
  readonly limits: ExtractLimits
  /** For an HTML page: whether to extract only its article. */
  readonly article?: boolean
}

/** The first message of a worker process, when it can receive tasks. */
export const READY = 'ready'
