import type { Why } from '../core/flow.ts'
import { lastPathSegment } from '../text/paths.ts'
import { foldSpace } from '../text/trim.ts'

export interface PageDate {
  readonly what: 'published' | 'modified'
  /** ISO 8601. */
  readonly day: string
  /** Source of the date: `meta article:published_time`, `JSON-LD`, `the text`. */
  readonly where: string
}

/** The format of a file. `code`: any text without another format. */
export type Format = 'markdown' | 'plain' | 'code' | 'csv' | 'json' | 'html' | 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'odt'

/** Whether the extracted text of a document is Markdown. */
export function isMarkdown({ format }: { readonly format: string }): boolean {
  return /^(?:markdown|html|docx|xlsx|pptx|odt)$/.test(format)
}

/** The searchable content of a file. */
export interface ExtractedContent {
  readonly format: Format
  /** The title, never empty. Default: the file's name. */
  readonly title: string
  /**
   * The text to index and to show; line numbers refer to it. A text file as it is; another file as Markdown or plain
   * text.
   */
  readonly text: string
  readonly syntax: 'markdown' | 'plain'
  /** Strings as they are, other values as JSON text. */
  readonly metadata: Readonly<Record<string, string>>
  /** The dates of a web article, in the order of the page. */
  readonly dates?: readonly PageDate[]
  /**
   * The number, from 1, of the first line of each page of a PDF or presentation. An empty page has that of the next.
   */
  readonly pages?: readonly number[]
  /** Sentences about the problems of the file. */
  readonly warnings: readonly string[]
}

/** Why there is no text. `unreadable`: locked with a password. `failed`: malformed, or its parser failed. */
export interface NotExtracted {
  readonly ok: false
  readonly why: Extract<Why, 'binary' | 'unreadable' | 'over-limit' | 'failed' | 'empty'>
  /** A sentence, on one line. */
  readonly detail: string
}

export type Extraction = ({ readonly ok: true } & ExtractedContent) | NotExtracted

export function authorIn({ metadata }: Pick<ExtractedContent, 'metadata'>): { readonly author?: string } {
  const author = foldSpace(metadata.author ?? '')
  return author === '' ? {} : { author }
}

/** Limits of reading a file. */
export interface ExtractLimits {
  /** Bytes of a text file, and characters of the text of another file. */
  readonly textBytes: number
  /** Bytes of a file that a worker parses. */
  readonly fileBytes: number
  /** Decompressed bytes of the parts of an archive. */
  readonly inflatedBytes: number
  /** MiB of JavaScript heap of a worker. The worker may use 1.5 times as much memory in total. */
  readonly memoryMiB: number
  /** Time limit of a worker for a file, in milliseconds. */
  readonly timeMs: number
}

const MIB = 1024 * 1024

/**
 * Default limits. A text of more than 8 MiB is mostly a log or a dump, whose index would be larger than the index of all other
 * files.
 */
export const EXTRACT_LIMITS: ExtractLimits = {
  textBytes: 8 * MIB,
  fileBytes: 64 * MIB,
  inflatedBytes: 32 * MIB,
  memoryMiB: 512,
  timeMs: 30_000,
}

/** Maximum UTF-16 units of a detail, which may contain names from the file. */
const MAX_DETAIL_LENGTH = 500

export function notExtracted(why: NotExtracted['why'], detail: string): NotExtracted {
  return { ok: false, why, detail: replaceUnstorable(foldSpace(detail).slice(0, MAX_DETAIL_LENGTH)) }
}

export function fileTooLarge(bytes: number, maxBytes: number): Extraction {
  return notExtracted('over-limit', `It has ${bytes} bytes; at most ${maxBytes} are read.`)
}

/** The warning about invalid sequences of bytes; none for 0. */
export function decodingWarnings(count: number): string[] {
  return count === 0 ? [] : [`It is not valid UTF-8 or UTF-16: U+FFFD stands for ${count} sequences.`]
}

/** The result of a parser, with a title, within the limit, and without NUL and lone surrogates, which some stores refuse. */
export function toExtraction(path: string, parsed: ExtractedContent, { textBytes }: ExtractLimits): Extraction {
  const text = replaceUnstorable(parsed.text)
  if (text.trim() === '') return notExtracted('empty', parsed.warnings[0] ?? 'It holds no text.')
  if (text.length > textBytes)
    return notExtracted('over-limit', `Its text has ${text.length} characters; at most ${textBytes} are accepted.`)
  const metadata = Object.entries(parsed.metadata).map((entry) => entry.map(replaceUnstorable))
  const title = foldSpace(replaceUnstorable(parsed.title)) || lastPathSegment(path) || path
  return { ok: true, ...parsed, title, text, metadata: Object.fromEntries(metadata) }
}

/** The pages, joined by blank lines, and the number of the first line of each page. */
export function joinPages(texts: readonly string[]): { text: string; pages: number[] } {
  const pages: number[] = []
  let line = 1
  for (const text of texts) {
    pages.push(line)
    if (text !== '') line += text.split('\n').length + 1
  }
  return { text: texts.filter((text) => text !== '').join('\n\n'), pages }
}

/** The first line of a library's error, as a sentence. */
export function libraryReason(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).trim().split(/[\r\n]/, 1)
  const text = foldSpace(line.replace(/\[xmldom \w+\]/, ''))
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The text without NUL and lone surrogates. */
function replaceUnstorable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
