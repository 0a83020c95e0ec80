import { TextDecoder } from 'node:util'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { Extractor } from '../../ingest/extractor.ts'
import { type Fetched, type FetchOptions, guardedFetch } from '../../internet/fetch.ts'
import { shownUrl } from '../../internet/guard.ts'

/** Reads pages of the public internet. */
export interface PageReader {
  /**
   * A page, PDF or text as Markdown or plain text. `url`: where it was in the end.
   *
   * @throws ContextError as `guardedFetch`; `unavailable`, too, for what holds no text.
   */
  read(url: string, signal: AbortSignal): Promise<Page>
}

export interface Page {
  readonly url: string
  /** Never empty: the URL where nothing better is known. */
  readonly title: string
  readonly text: string
}

export interface PageReaderOptions extends FetchOptions {
  /** Default: one of its own. */
  readonly extractor?: Extractor
}

/** By media type the name that a file of it would have. */
const NAMES: Readonly<Record<string, string>> = {
  'text/html': 'page.html',
  'application/xhtml+xml': 'page.html',
  'application/pdf': 'page.pdf',
  'text/plain': 'page.txt',
  'text/markdown': 'page.md',
  'text/x-markdown': 'page.md',
  'text/csv': 'page.csv',
  'application/json': 'page.json',
  'application/ld+json': 'page.json',
  'text/xml': 'page.txt',
  'application/xml': 'page.txt',
}

/** The reader of pages. What is read is parsed in a process of its own, with limits. */
export function pageReader({ extractor = new Extractor(), ...options }: PageReaderOptions = {}): PageReader {
  return {
    async read(url, signal) {
      const fetched = await guardedFetch(url, signal, options)
      throwIfAborted(signal)
      const name = pageName(fetched)
      const found = await extractor.extractArticle(name, utf8Of(fetched, name), signal)
      if (!found.ok) throw unreadablePage(fetched.url, found.detail)
      const title = found.title === name ? fetched.url : found.title
      return { url: fetched.url, title, text: found.text }
    },
  }
}

/** What says nothing of itself is known by how it begins. */
function pageName({ type, bytes, url }: Fetched): string {
  const known = Object.hasOwn(NAMES, type) ? NAMES[type] : undefined
  if (known !== undefined) return known
  if (type === '' || type === 'application/octet-stream') {
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'page.pdf'
    if (/^\s*<(?:!doctype html|html)/i.test(bytes.subarray(0, 512).toString('latin1'))) return 'page.html'
  }
  throw unreadablePage(url, `It is ${type || 'of no known type'}, and no page.`)
}

/** The encoding that the answer names counts more than what stands in the page. */
function utf8Of({ bytes, charset }: Fetched, name: string): Uint8Array {
  if (name === 'page.pdf' || charset === undefined || /^utf-?8$/.test(charset)) return bytes
  try {
    return Buffer.from(`\uFEFF${new TextDecoder(charset).decode(bytes)}`)
  } catch {
    return bytes
  }
}

function unreadablePage(url: string, detail: string): ContextError {
  const hint = 'Look for another page, or give it as a file.'
  return new ContextError('unavailable', `${shownUrl(url)} cannot be read: ${detail}`, { hint })
}
