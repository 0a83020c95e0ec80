import { Readability } from '@mozilla/readability'
import { tryToRead } from '../../core/errors.ts'
import {
  decodingWarnings,
  type Extraction,
  type ExtractLimits,
  notExtracted,
  type PageDate,
  toExtraction,
} from '../extracted.ts'
import { type DomDocument, type DomNode, isElement, parseDocument, tagOf, walkDom } from './dom.ts'
import { decodeHtml, htmlContent } from './html.ts'

/** Maximum elements of a page that is searched for an article. Each element takes some microseconds. */
const MAX_ELEMENTS = 100_000

/** Minimum characters of an article. For a shorter article, probably a teaser, the whole page is used. */
const MIN_CHARACTERS = 250

/** Maximum characters of the names of authors. */
const MAX_AUTHOR = 200

/** The article of an HTML page as Markdown; the whole page if no article is found. Nothing is executed or loaded. */
export function readArticle(path: string, bytes: Uint8Array, limits: ExtractLimits): Extraction {
  const decoded = decodeHtml(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const page = htmlContent(decoded.text)
  const document = parseDocument(decoded.text, 'text/html')
  // Reads the dates first, because the search for the article changes the document.
  const dates = pageDates(document)
  const article = articleIn(document)
  const articleText = htmlContent(article?.html ?? '').text
  const text = articleText.length >= MIN_CHARACTERS ? articleText : page.text
  // Readability takes the text before a colon as the name of the site, but it may be the subject.
  const title = article?.title && !page.title.endsWith(`: ${article.title}`) ? article.title : page.title
  const warnings = decodingWarnings(decoded.replaced)
  const dateFields = dates.length > 0 ? { dates } : {}
  const metadata = { ...page.metadata, ...(article?.author && { author: article.author }) }
  return toExtraction(path, { ...page, text, metadata, title, format: 'html', warnings, ...dateFields }, limits)
}

/** The article that Readability finds; undefined if it finds none, or fails. Readability changes the document. */
function articleIn(page: DomDocument) {
  try {
    const document = page as unknown as ConstructorParameters<typeof Readability>[0]
    const article = new Readability(document, { maxElemsToParse: MAX_ELEMENTS, disableJSONLD: true }).parse()
    if (!article) return undefined
    const author = article.byline?.replace(/\s+/g, ' ').trim().slice(0, MAX_AUTHOR).toWellFormed()
    return { title: article.title?.trim() ?? '', html: article.content, author }
  } catch {
    return undefined
  }
}

/** Names of `meta` elements with a date, in lower case, by the kind of the date. */
const META_DATES: Readonly<Record<PageDate['what'], readonly string[]>> = {
  published: (
    'article:published_time og:published_time datepublished date pubdate publishdate publish-date dc.date ' +
    'dc.date.issued dcterms.date dcterms.created citation_publication_date parsely-pub-date'
  ).split(' '),
  modified: 'article:modified_time og:updated_time datemodified last-modified dcterms.modified'.split(' '),
}

function dateKindOf(name: string): PageDate['what'] | undefined {
  return (['published', 'modified'] as const).find((what) => META_DATES[what].includes(name))
}

/** Maximum dates of a page, and maximum characters of JSON-LD that are searched for dates. */
const MAX_DATES = 12
const MAX_JSON = 200_000

/** The dates of a page: at most one date of each kind from each source (`where`). */
function pageDates(document: Pick<DomNode, 'firstChild'>): PageDate[] {
  const dates: PageDate[] = []
  const addDate = (what: PageDate['what'] | undefined, value: unknown, where: string) => {
    const day = dayIn(value)
    const isKnown = dates.some((date) => date.what === what && date.where === where)
    if (what && day !== undefined && !isKnown && dates.length < MAX_DATES) dates.push({ what, day, where })
  }
  walkDom(document, (node) => {
    if (!isElement(node)) return false
    const tag = tagOf(node)
    const property = node.getAttribute('itemprop')?.toLowerCase() ?? ''
    const name = (node.getAttribute('property') ?? node.getAttribute('name') ?? property).toLowerCase()
    if (tag === 'meta') addDate(dateKindOf(name), node.getAttribute('content'), `meta ${name}`)
    if (tag === 'time') addDate(dateKindOf(property), node.getAttribute('datetime') ?? node.textContent, 'time element')
    if (tag === 'script' && node.getAttribute('type') === 'application/ld+json')
      for (const [what, value] of linkedDates(node.textContent)) addDate(what, value, 'JSON-LD')
    return tag !== 'script'
  })
  return dates
}

type UncheckedDate = readonly [what: PageDate['what'], value: unknown]

/**
 * The dates of the first object in JSON-LD that has dates. Later objects are other things, such as comments.
 */
function linkedDates(text: string): UncheckedDate[] {
  return tryToRead(() => datesOf(text.length > MAX_JSON ? undefined : JSON.parse(text), 4)) ?? []
}

function datesOf(value: unknown, depth: number): UncheckedDate[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  const { datePublished, dateModified, '@graph': graph } = value as Record<string, unknown>
  if (datePublished !== undefined || dateModified !== undefined) {
    return [
      ['published', datePublished],
      ['modified', dateModified],
    ]
  }
  for (const item of [value, graph].filter(Array.isArray).flat()) {
    const dates = datesOf(item, depth - 1)
    if (dates.length > 0) return dates
  }
  return []
}

/** The day at the start of a value, in ISO 8601; undefined for a value without a valid day. */
function dayIn(value: unknown): string | undefined {
  const [, year, month = '', day = ''] = /^\s*(\d{4})[-/](\d\d?)[-/](\d\d?)(?!\d)/.exec(String(value)) ?? []
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}
