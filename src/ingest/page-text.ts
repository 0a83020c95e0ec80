/** The text of one page of a PDF, or of a document, read as all risky formats are: in a process of its own. */

import { ContextError, invalidInput } from '../core/errors.ts'
import { Extractor } from './extractor.ts'

export interface PageText {
  readonly text: string
  readonly page: number
  readonly pages: number
}

/**
 * @param page From 1.
 * @throws ContextError `invalid-input` for what is not a PDF, and for a page that is not there; `cancelled`.
 */
export async function pageText(path: string, bytes: Uint8Array, options: PageOptions = {}): Promise<PageText> {
  const { page = 1, signal } = options
  const extractor = new Extractor({ workers: 1 })
  try {
    const found = await extractor.extract(path, bytes, signal)
    if (!found.ok) throw invalidInput(`${path} has no text that can be read: ${found.detail}`)
    const { text, pages: starts = [1] } = found
    const start = starts[page - 1]
    if (start === undefined) throw noPage(path, page, starts.length)
    const next = starts[page] ?? Number.POSITIVE_INFINITY
    const lines = text.split('\n').slice(start - 1, next - 1)
    return { text: lines.join('\n').trim(), page, pages: starts.length }
  } finally {
    await extractor.close()
  }
}

/**
 * The text of a document, whatever its format.
 *
 * @throws ContextError `invalid-input` for what has none; `cancelled`.
 */
export async function attachmentText(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  const extractor = new Extractor({ workers: 1 })
  try {
    const found = await extractor.extract(name, bytes, signal)
    if (found.ok) return found.text
    throw invalidInput(`${name} has no text that can be read: ${found.detail}`)
  } finally {
    await extractor.close()
  }
}

interface PageOptions {
  readonly page?: number | undefined
  readonly signal?: AbortSignal | undefined
}

function noPage(path: string, page: number, pages: number): ContextError {
  return new ContextError('not-found', `${path} has no page ${page}.`, { hint: `It has ${pages}.` })
}
