import type { Why } from '../core/flow.ts'
import { lastPathSegment } from '../text/paths.ts'
import { foldSpace } from '../text/trim.ts'

/** A day that a page is said to be of. */
export interface PageDate {
  readonly what: 'published' | 'modified'
  /** ISO 8601. */
  readonly day: string
  /** Source of the date: `meta article:published_time`, `JSON-LD`, `the text`. */
  readonly where: string
}

/** Kind of a file. `code` is any text of no other kind. */
export type Format = 'markdown' | 'plain' | 'code' | 'csv' | 'json' | 'html' | 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'odt'

/** Whether the text of a document is Markdown, as it was extracted. */
export function isMarkdown({ format }: { readonly format: string }): boolean {
  return /^(?:markdown|html|docx|xlsx|pptx|odt)$/.test(format)
}

/** The searchable content of a file. */
export interface Extracted {
  readonly format: Format
  /** Never empty: the file's name where nothing better is known. */
  readonly title: string
  /** Shown text, in which line numbers count: the whole of a text file, the words of another as Markdown or plain text. */
  readonly text: string
  readonly syntax: 'markdown' | 'plain'
  /** Strings as they are, other values as JSON text. */
  readonly metadata: Readonly<Record<string, string>>
  /** Of an article of the web: the days that it is said to be of, in the order of the page. */
  readonly dates?: readonly PageDate[]
  /** Of an article of the web: the address that it names as its own (`rel=canonical`), as it stands there. */
  readonly canonical?: string
  /** Of a PDF or a presentation: for each page the line of `text`, from 1, where it starts. A page without text starts where the next does. */
  readonly pages?: readonly number[]
  /** A sentence each. */
  readonly warnings: readonly string[]
}

/** Why there is no text. `unreadable`: locked with a password. `failed`: malformed, or its parser broke down. */
export interface NotExtracted {
  readonly ok: false
  readonly why: Extract<Why, 'binary' | 'unreadable' | 'over-limit' | 'failed' | 'empty'>
  /** A sentence, on one line. */
  readonly detail: string
}

export type Extraction = ({ readonly ok: true } & Extracted) | NotExtracted

/** As a page or a file names its author. */
export function authorIn({ metadata }: Pick<Extracted, 'metadata'>): { readonly author?: string } {
  const author = foldSpace(metadata.author ?? '')
  return author === '' ? {} : { author }
}

/** Limits of reading a file. */
export interface ExtractLimits {
  /** Bytes of a text file, and characters of the text that is made of another. */
  readonly textBytes: number
  /** Bytes of a file that a worker parses. */
  readonly fileBytes: number
  /** Bytes that the parts of a file that is an archive may come to, decompressed. */
  readonly inflatedBytes: number
  /** MiB of JavaScript heap that a worker may take; of memory altogether, half as much again. */
  readonly memoryMiB: number
  /** Milliseconds that a worker may take for a file. */
  readonly timeMs: number
}

const MIB = 1024 * 1024

/** Text: 8 MiB, since what is longer is a log or a dump, whose index would outweigh all else. */
export const EXTRACT_LIMITS: ExtractLimits = {
  textBytes: 8 * MIB,
  fileBytes: 64 * MIB,
  inflatedBytes: 32 * MIB,
  memoryMiB: 512,
  timeMs: 30_000,
}

/** Longest detail, in UTF-16 units: some hold names that the file gives. */
const MOST_DETAIL = 500

export function notExtracted(why: NotExtracted['why'], detail: string): NotExtracted {
  return { ok: false, why, detail: storable(foldSpace(detail).slice(0, MOST_DETAIL)) }
}

/** How many bytes there are, and how many there may be. */
export function fileTooLarge(bytes: number, most: number): Extraction {
  return notExtracted('over-limit', `It has ${bytes} bytes; at most ${most} are read.`)
}

/** Warning about bytes that are no text in the encoding. */
export function replacedWarning(count: number): string[] {
  return count === 0 ? [] : [`It is not valid UTF-8 or UTF-16: U+FFFD stands for ${count} sequences.`]
}

/** The result of a parser: without NUL and lone surrogates, which not every store takes, titled, and within the limit. */
export function toExtraction(
  path: string,
  found: Extracted,
  { textBytes }: Pick<ExtractLimits, 'textBytes'>,
): Extraction {
  const text = storable(found.text)
  if (text.trim() === '') return notExtracted('empty', found.warnings[0] ?? 'It holds no text.')
  if (text.length > textBytes) {
    return notExtracted('over-limit', `Its text has ${text.length} characters; at most ${textBytes} are taken.`)
  }
  const metadata = Object.entries(found.metadata).map(([key, value]) => [storable(key), storable(value)])
  const title = foldSpace(storable(found.title))
  return {
    ok: true,
    ...found,
    title: title || lastPathSegment(path) || path,
    text,
    metadata: Object.fromEntries(metadata),
  }
}

/** The pages with a blank line between, and the line on which each starts. */
export function joinPages(texts: readonly string[]): { text: string; pages: number[] } {
  const pages: number[] = []
  let line = 1
  for (const text of texts) {
    pages.push(line)
    if (text !== '') line += text.split('\n').length + 1
  }
  return { text: texts.filter((text) => text !== '').join('\n\n'), pages }
}

/** First line of a library's error, as a sentence. */
export function libraryReason(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).trim().split(/[\r\n]/, 1)
  const text = foldSpace(line.replace(/\[xmldom \w+\]/, ''))
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The text without NUL and lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
