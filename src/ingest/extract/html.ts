import { TextDecoder } from 'node:util'
import Turndown from 'turndown'
import { cachePerObject } from '../../core/cache-per-object.ts'
import { tryToRead } from '../../core/errors.ts'
import { decode } from '../../text/decode.ts'
import { foldSpace } from '../../text/trim.ts'
import {
  decodingWarnings,
  type ExtractedContent,
  type Extraction,
  type ExtractLimits,
  notExtracted,
  toExtraction,
} from '../extracted.ts'
import { type DomNode, isElement, tagOf, walkDom } from './dom.ts'
import { parseHtml } from './html-tree.ts'

/** Elements without text of the page. Headers, footers and asides, which may have text of the page, stay. */
const DROPPED = new Set('script meta link base style template nav iframe object title desc'.split(' '))

/** Names of `meta` elements that become metadata. */
const META_NAMES: ReadonlySet<string> = new Set(['author', 'description', 'keywords', 'date', 'generator'])

/** Maximum depth. Deeper elements become plain text, because the time grows with the size times the depth. */
const MAX_DEPTH = 128

/** Bytes that are searched for the name of the encoding, as in browsers. */
const ENCODING_SEARCH_BYTES = 1024

/** Facts about a page besides its text. */
interface PageFacts {
  title: string
  heading: string
  readonly metadata: Record<string, string>
}

/** An HTML page as Markdown. Nothing is executed or loaded. */
export function readHtml(path: string, bytes: Uint8Array, limits: ExtractLimits): Extraction {
  const decoded = decodeHtml(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const content = htmlContent(decoded.text)
  return toExtraction(path, { ...content, format: 'html', warnings: decodingWarnings(decoded.replaced) }, limits)
}

/** HTML as Markdown, with its title (the title of the page, else the first heading) and metadata. */
export function htmlContent(html: string): Pick<ExtractedContent, 'title' | 'text' | 'syntax' | 'metadata'> {
  const root = parseHtml(html)
  const facts: PageFacts = { title: '', heading: '', metadata: {} }
  walkDom(root, (node, depth) => pruneNode(node, depth, facts))
  const text = converter()
    .turndown(root as never)
    .replaceAll('\u00A0', ' ')
  return { title: facts.title || facts.heading, text, syntax: 'markdown', metadata: facts.metadata }
}

/** Removes elements without text, and collects the facts about the page. */
function pruneNode(node: DomNode, depth: number, facts: PageFacts): boolean {
  if (!isElement(node)) return false
  const tag = tagOf(node)
  recordFacts(node, tag, facts)
  if (DROPPED.has(tag) || node.getAttribute('role') === 'navigation') node.remove()
  else if (depth >= MAX_DEPTH) node.textContent = elementText(node)
  else return true
  return false
}

function recordFacts(node: DomNode, tag: string, facts: PageFacts): void {
  if (tag === 'title' && facts.title === '' && tagOf(node.parentNode ?? node) !== 'svg')
    facts.title = node.textContent.trim()
  if (tag === 'h1' && facts.heading === '') facts.heading = node.textContent.trim()
  const language = tag === 'html' ? node.getAttribute('lang') : null
  if (language) facts.metadata.language = language
  if (tag === 'meta') recordMeta(node, facts)
}

function recordMeta(node: DomNode, { metadata }: PageFacts): void {
  const name = node.getAttribute('name')?.toLowerCase() ?? ''
  const content = node.getAttribute('content')?.trim()
  if (content && META_NAMES.has(name)) metadata[name] ??= content
}

/** The text of an element, without dropped elements. */
function elementText(element: DomNode): string {
  const texts: string[] = []
  walkDom(element, (node) => {
    if (isElement(node)) return !DROPPED.has(tagOf(node))
    texts.push(node.textContent)
    return false
  })
  return texts.join(' ')
}

/** Decodes by the byte order mark, else by the encoding that the page names, else as UTF-8. */
export function decodeHtml(bytes: Uint8Array): ReturnType<typeof decode> {
  const start = Buffer.from(bytes.subarray(0, ENCODING_SEARCH_BYTES)).toString('latin1')
  const label = /<(?:meta\b[^<>]*?\bcharset|\?xml\b[^<>]*?\bencoding)\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(start)?.[1]
  const decoder = /^(?:\xFF\xFE|\xFE\xFF|\xEF\xBB\xBF)/.test(start) ? undefined : decoderOf(label)
  if (decoder === undefined || bytes.includes(0)) return decode(bytes)
  return { text: decoder.decode(bytes), replaced: 0 }
}

/**
 * The decoder of a named encoding; undefined for an unknown name, and for UTF-8 and UTF-16. A page that says UTF-16 is not
 * UTF-16, because its `charset` was found by reading single bytes.
 */
function decoderOf(label = 'utf-8'): TextDecoder | undefined {
  const decoder = tryToRead(() => new TextDecoder(label))
  return decoder?.encoding.startsWith('utf-') ? undefined : decoder
}

/** Match marks that would start a block of Markdown. Other marks are not escaped, so that a search finds `a_b`. */
const BLOCK_MARKS = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+$|-{2,}$|~~~|```|<)/
const LIST_NUMBER = /^(\d{1,9})([.)])(?=\s|$)/

/** Matches addresses of links and images that are dropped. */
const EMPTY_ADDRESS = /^\s*(?:#|javascript:|data:|$)/i

/** Creates a converter to Markdown for one page: it counts list items, and remembers which tables have a header. */
function converter(): Turndown {
  const service = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    br: '',
  })
  service.escape = (text) => text.replace(BLOCK_MARKS, '\\$&').replace(LIST_NUMBER, '$1\\$2')
  const lastNumbers = new WeakMap<DomNode, number>()
  service.addRule('span', { filter: 'span', replacement: convertSpan })
  service.addRule('pre', { filter: 'pre', replacement: (_, node) => fenceCode(node) })
  service.addRule('a', { filter: 'a', replacement: convertLink })
  service.addRule('img', { filter: 'img', replacement: (_, node) => convertImage(node) })
  service.addRule('li', { filter: 'li', replacement: (content, node) => convertListItem(content, node, lastNumbers) })
  return addTables(service)
}

/** Puts blank lines around a span with a code block; within a line, the fence of the block would not be a fence. */
function convertSpan(content: string): string {
  return /^`{3,}[^`]*\n/.test(content) ? `\n\n${content}\n\n` : content
}

function fenceCode(pre: DomNode): string {
  const languages = [pre, ...[...pre.childNodes].filter(isElement)].map(
    (node) => node.getAttribute('class')?.match(/\blang(?:uage)?-([\w+#-]+)/)?.[1],
  )
  const code = textWithBreaks(pre).replace(/^\n/, '').trimEnd()
  const longestRun = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `\n\n${fence}${languages.find(Boolean) ?? ''}\n${code}\n${fence}\n\n`
}

/** The text of an element, with a line end for each `br`. */
function textWithBreaks(node: DomNode): string {
  const parts = [...node.childNodes].map((child) => {
    if (tagOf(child) === 'br') return '\n'
    return child.firstChild ? textWithBreaks(child) : child.textContent
  })
  return parts.join('')
}

function convertLink(content: string, node: DomNode): string {
  const href = node.getAttribute('href')?.trim() ?? ''
  const isInline = content.trim() !== '' && !content.includes('\n')
  return isInline && !EMPTY_ADDRESS.test(href) && content !== href ? `[${content}](${linkTarget(href)})` : content
}

function convertImage(node: DomNode): string {
  const alt = foldSpace(node.getAttribute('alt') ?? '')
  const address = node.getAttribute('src')?.trim() ?? ''
  if (alt === '') return ''
  return EMPTY_ADDRESS.test(address) ? alt : `![${alt}](${linkTarget(address)})`
}

function linkTarget(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/\s+/g, ' ').replace(/[<>]/g, '\\$&')}>` : address
}

/** Converts a list item. Counts the items, because a search for the index of each item would take quadratic time. */
function convertListItem(content: string, node: DomNode, lastNumbers: WeakMap<DomNode, number>): string {
  const list = node.parentNode
  const previous = list && (lastNumbers.get(list) ?? Number(list.getAttribute('start') ?? 1) - 1)
  const number = Number.isInteger(previous) ? Number(previous) + 1 : 1
  if (list) lastNumbers.set(list, number)
  const prefix = list && tagOf(list) === 'ol' ? `${number}. ` : '- '
  const text = content
    .replace(/^\n+/, '')
    .trimEnd()
    .replace(/\n(?!\n)/g, `\n${' '.repeat(prefix.length)}`)
  return `${prefix}${text}${content.endsWith('\n') ? '\n' : ''}${node.nextSibling ? '\n' : ''}`
}

/**
 * Elements that a cell of a Markdown table cannot contain. A table with such an element is layout: cells become blocks.
 */
const BLOCK_ELEMENTS = 'table, pre, ul, ol, blockquote, hr, h1, h2, h3, h4, h5, h6'

/** Adds rules that convert tables to Markdown. The first row is the header. */
function addTables(service: Turndown): Turndown {
  const tablesWithHeader = new WeakSet<DomNode>()
  const isDataTable = cachePerObject((table: DomNode) => table.querySelector(BLOCK_ELEMENTS) === null)
  const isInlineTable = (table: DomNode | null) => table !== null && isDataTable(table)
  const inTable = (...tags: readonly string[]) => {
    return (node: DomNode) => tags.includes(tagOf(node)) && isInlineTable(tableOf(node))
  }
  // Removes blank lines between rows. A caption stays a separate paragraph.
  const asBlock = (content: string) => `\n\n${content.trim().replace(/\|[^\S\n]*\n\s*\|/g, '|\n|')}\n\n`
  service.addRule('table', { filter: inTable('table'), replacement: asBlock })
  service.addRule('caption', { filter: inTable('caption'), replacement: (content) => `\n\n${content}\n\n` })
  service.addRule('rows', { filter: inTable('thead', 'tbody', 'tfoot'), replacement: (content) => `\n${content}\n` })
  const asRow = (content: string, node: DomNode) => convertRow(content, node, tablesWithHeader)
  service.addRule('row', { filter: inTable('tr'), replacement: asRow })
  return service.addRule('cell', { filter: inTable('td', 'th'), replacement: convertCell })
}

function tableOf(node: DomNode): DomNode | null {
  let ancestor: DomNode | null = node
  while (ancestor && tagOf(ancestor) !== 'table') ancestor = ancestor.parentNode
  return ancestor
}

function convertCell(content: string): string {
  return ` ${foldSpace(content).replaceAll('|', '\\|')} |`
}

function convertRow(content: string, node: DomNode, tablesWithHeader: WeakSet<DomNode>): string {
  const table = tableOf(node)
  const cells = [...node.childNodes].filter(isElement).length
  const line = `\n|${content.replace(/\n+/g, ' ')}`
  if (!table || tablesWithHeader.has(table)) return `${line}\n`
  tablesWithHeader.add(table)
  return `${line}\n|${' --- |'.repeat(cells)}\n`
}
