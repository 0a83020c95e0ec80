import { Readability } from '@mozilla/readability'
import { type Extraction, type ExtractLimits, notExtracted, replacedWarning, toExtraction } from '../extracted.ts'
import { type DomDocument, isElement, parseDocument, tagOf, walkDom } from './dom.ts'
import { decodeHtml, htmlContent } from './html.ts'
import { pageDates } from './page-dates.ts'

/** Elements of the largest page in which an article is looked for: it takes some microseconds for each. */
const MOST_ELEMENTS = 100_000

/** Characters of an article. What is shorter is more likely a teaser, and the page has more to say. */
const SHORTEST = 250

/** Characters of the names of authors. */
const MOST_AUTHOR = 200

/** The article of an HTML page as Markdown; the whole page where none stands out. Nothing is executed or loaded. */
export function readArticle(path: string, bytes: Uint8Array, limits: ExtractLimits): Extraction {
  const decoded = decodeHtml(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const page = htmlContent(decoded.text)
  const document = parseDocument(decoded.text, 'text/html')
  // Before the article is looked for, which changes the document.
  const dates = pageDates(document, page.text)
  const canonical = canonicalIn(document)
  const article = articleIn(document)
  const inner = article?.html === undefined ? undefined : htmlContent(article.html)
  const found = inner && inner.text.length >= SHORTEST ? { ...page, text: inner.text } : page
  const title = article?.title || page.title
  const warnings = replacedWarning(decoded.replaced)
  const facts = { ...(dates.length > 0 && { dates }), ...(canonical && { canonical }) }
  const metadata = { ...found.metadata, ...(article?.author && { author: article.author }) }
  return toExtraction(path, { ...found, metadata, title, format: 'html', warnings, ...facts }, limits)
}

/** The first address that a page names as its own. */
function canonicalIn(document: DomDocument): string | undefined {
  let found: string | undefined
  walkDom(document, (node) => {
    if (!isElement(node)) return false
    const isNamed = tagOf(node) === 'link' && /\bcanonical\b/i.test(node.getAttribute('rel') ?? '')
    if (isNamed) found ??= node.getAttribute('href') ?? undefined
    return found === undefined
  })
  return found
}

interface FoundArticle {
  readonly title: string
  readonly html: string | undefined
  readonly author: string | undefined
}

/** It changes the document that it is given, and breaks down on some. */
function articleIn(given: DomDocument): FoundArticle | undefined {
  try {
    const document = given as unknown as ConstructorParameters<typeof Readability>[0]
    const found = new Readability(document, { maxElemsToParse: MOST_ELEMENTS, disableJSONLD: true }).parse()
    if (!found) return undefined
    const author = found.byline?.replace(/\s+/g, ' ').trim().slice(0, MOST_AUTHOR).toWellFormed()
    return { title: found.title?.trim() ?? '', html: found.content ?? undefined, author }
  } catch {
    return undefined
  }
}
