import { Readability } from '@mozilla/readability'
import { type Extraction, type ExtractLimits, notExtracted, replacedWarning, toExtraction } from '../extracted.ts'
import { parseDocument } from './dom.ts'
import { decodeHtml, htmlContent } from './html.ts'

/** Elements of the largest page in which an article is looked for: it takes some microseconds for each. */
const MOST_ELEMENTS = 100_000

/** Characters of an article. What is shorter is more likely a teaser, and the page has more to say. */
const SHORTEST = 250

/** The article of an HTML page as Markdown; the whole page where none stands out. Nothing is executed or loaded. */
export function readArticle(path: string, bytes: Uint8Array, limits: ExtractLimits): Extraction {
  const decoded = decodeHtml(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const page = htmlContent(decoded.text)
  const article = articleIn(decoded.text)
  const inner = article?.html === undefined ? undefined : htmlContent(article.html)
  const found = inner && inner.text.length >= SHORTEST ? { ...page, text: inner.text } : page
  const title = article?.title || page.title
  return toExtraction(path, { ...found, title, format: 'html', warnings: replacedWarning(decoded.replaced) }, limits)
}

/** It changes the document that it is given, and breaks down on some. */
function articleIn(html: string): { readonly title: string; readonly html: string | undefined } | undefined {
  try {
    const document = parseDocument(html, 'text/html') as unknown as ConstructorParameters<typeof Readability>[0]
    const found = new Readability(document, { maxElemsToParse: MOST_ELEMENTS, disableJSONLD: true }).parse()
    return found ? { title: found.title?.trim() ?? '', html: found.content ?? undefined } : undefined
  } catch {
    return undefined
  }
}
