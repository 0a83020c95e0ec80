import { TextDecoder } from 'node:util'
import Turndown from 'turndown'
import { oncePer } from '../../core/once-per.ts'
import { decode } from '../../text/decode.ts'
import { foldSpace } from '../../text/trim.ts'
import {
  type Extracted,
  type Extraction,
  type ExtractLimits,
  notExtracted,
  replacedWarning,
  toExtraction,
} from '../extracted.ts'
import { type DomNode, isElement, tagOf, walkDom } from './dom.ts'
import { parseHtml } from './html-tree.ts'

/** Elements without text of the page. Headers, footers and asides may have some, and stay. */
const DROPPED: ReadonlySet<string> = new Set([
  'script',
  'meta',
  'link',
  'base',
  'style',
  'template',
  'nav',
  'iframe',
  'object',
  'title',
  'desc',
])

/** `meta` elements by name that become metadata. */
const KEPT_META: ReadonlySet<string> = new Set(['author', 'description', 'keywords', 'date', 'generator'])

/** Maximum depth. Deeper elements become plain text, because the conversion takes size times depth. */
const DEEPEST = 128

/** Bytes that are searched for the name of the encoding, as in browsers. */
const DECLARED_WITHIN = 1024

/** Facts about a page besides its text. */
interface Head {
  title: string
  heading: string
  readonly metadata: Record<string, string>
}

/** An HTML page as Markdown. Nothing is executed or loaded. */
export function readHtml(path: string, bytes: Uint8Array, limits: ExtractLimits): Extraction {
  const decoded = decodeHtml(bytes)
  if ('binary' in decoded) return notExtracted('binary', decoded.detail)
  const found = htmlContent(decoded.text)
  return toExtraction(path, { ...found, format: 'html', warnings: replacedWarning(decoded.replaced) }, limits)
}

/** HTML as Markdown, with its title (that of the page, else its first heading) and metadata. */
export function htmlContent(html: string): Pick<Extracted, 'title' | 'text' | 'syntax' | 'metadata'> {
  const root = parseHtml(html)
  const head: Head = { title: '', heading: '', metadata: {} }
  walkDom(root, (node, depth) => prune(node, depth, head))
  const text = converter()
    .turndown(root as never)
    .replaceAll('\u00A0', ' ')
  return { title: head.title || head.heading, text, syntax: 'markdown', metadata: head.metadata }
}

/** Removes elements without text, and collects the facts about the page. */
function prune(node: DomNode, depth: number, head: Head): boolean {
  if (!isElement(node)) return false
  const tag = tagOf(node)
  note(node, tag, head)
  if (DROPPED.has(tag) || node.getAttribute('role') === 'navigation') node.remove()
  else if (depth >= DEEPEST) node.textContent = elementText(node)
  else return true
  return false
}

function note(node: DomNode, tag: string, head: Head): void {
  if (tag === 'title' && head.title === '' && tagOf(node.parentNode ?? node) !== 'svg')
    head.title = node.textContent.trim()
  if (tag === 'h1' && head.heading === '') head.heading = node.textContent.trim()
  const language = tag === 'html' ? node.getAttribute('lang') : null
  if (language) head.metadata.language = language
  if (tag === 'meta') noteMeta(node, head)
}

function noteMeta(node: DomNode, { metadata }: Head): void {
  const name = node.getAttribute('name')?.toLowerCase() ?? ''
  const content = node.getAttribute('content')?.trim()
  if (content && KEPT_META.has(name)) metadata[name] ??= content
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
  const start = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1')
  const label = /<(?:meta\b[^<>]*?\bcharset|\?xml\b[^<>]*?\bencoding)\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(start)?.[1]
  const decoder = /^(?:\xFF\xFE|\xFE\xFF|\xEF\xBB\xBF)/.test(start) ? undefined : decoderOf(label)
  if (decoder === undefined || bytes.includes(0)) return decode(bytes)
  return { text: decoder.decode(bytes), replaced: 0 }
}

/**
 * The named encoding; undefined for UTF-8, for UTF-16 (which is wrong for a page that is readable as bytes), and for an
 * unknown name.
 */
function decoderOf(label = 'utf-8'): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf-') ? undefined : decoder
  } catch {
    return undefined
  }
}

/** Escapes marks that would start a block of Markdown. Marks within a line stay, so that a search finds `a_b`. */
const BLOCK_MARKS = /^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|=+$|-{2,}$|~~~|```|<)/
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/

/** Addresses that are dropped. */
const EMPTY_ADDRESS = /^\s*(?:#|javascript:|data:|$)/i

/** A converter for one page, because it counts rows and items. */
function converter(): Turndown {
  const service = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    br: '',
  })
  service.escape = (text) => text.replace(BLOCK_MARKS, '\\$&').replace(NUMBERED, '$1\\$2')
  const numbers = new WeakMap<DomNode, number>()
  service.addRule('span', { filter: 'span', replacement: span })
  service.addRule('pre', { filter: 'pre', replacement: (_, node) => fenceCode(node) })
  service.addRule('a', { filter: 'a', replacement: link })
  service.addRule('img', { filter: 'img', replacement: (_, node) => image(node) })
  service.addRule('li', { filter: 'li', replacement: (content, node) => listItem(content, node, numbers) })
  return addTables(service)
}

/** Turndown removes line breaks within a span: a code block would begin within a line, and never end. */
function span(content: string): string {
  return /^`{3,}[^`]*\n/.test(content) ? `\n\n${content}\n\n` : content
}

function fenceCode(pre: DomNode): string {
  const marked = [pre, ...[...pre.childNodes].filter(isElement)].map(
    (node) => node.getAttribute('class')?.match(/\blang(?:uage)?-([\w+#-]+)/)?.[1],
  )
  const code = textWithBreaks(pre).replace(/^\n/, '').trimEnd()
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${marked.find(Boolean) ?? ''}\n${code}\n${fence}\n\n`
}

/** The text of an element, with a line end for each `br`. */
function textWithBreaks(node: DomNode): string {
  const parts = [...node.childNodes].map((child) => {
    if (tagOf(child) === 'br') return '\n'
    return child.firstChild ? textWithBreaks(child) : child.textContent
  })
  return parts.join('')
}

function link(content: string, node: DomNode): string {
  const address = node.getAttribute('href')?.trim() ?? ''
  const inline = content.trim() !== '' && !content.includes('\n')
  return inline && !EMPTY_ADDRESS.test(address) && content !== address ? `[${content}](${target(address)})` : content
}

function image(node: DomNode): string {
  const alt = foldSpace(node.getAttribute('alt') ?? '')
  const address = node.getAttribute('src')?.trim() ?? ''
  if (alt === '') return ''
  return EMPTY_ADDRESS.test(address) ? alt : `![${alt}](${target(address)})`
}

function target(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/\s+/g, ' ').replace(/[<>]/g, '\\$&')}>` : address
}

/** Counts items itself: searching for the index of each would take quadratic time. */
function listItem(content: string, node: DomNode, numbers: WeakMap<DomNode, number>): string {
  const list = node.parentNode
  const before = list && (numbers.get(list) ?? Number(list.getAttribute('start') ?? 1) - 1)
  const number = Number.isInteger(before) ? Number(before) + 1 : 1
  if (list) numbers.set(list, number)
  const prefix = list && tagOf(list) === 'ol' ? `${number}. ` : '- '
  const text = content
    .replace(/^\n+/, '')
    .trimEnd()
    .replace(/\n(?!\n)/g, `\n${' '.repeat(prefix.length)}`)
  return `${prefix}${text}${content.endsWith('\n') ? '\n' : ''}${node.nextSibling ? '\n' : ''}`
}

/** Elements that a cell of a Markdown table cannot contain. A table with any of them is layout: its cells become blocks. */
const NOT_INLINE = 'table, pre, ul, ol, blockquote, hr, h1, h2, h3, h4, h5, h6'

/** Adds rules that convert tables to Markdown. The first row is the header. */
function addTables(service: Turndown): Turndown {
  const started = new WeakSet<DomNode>()
  const holdsCells = oncePer((table: DomNode) => table.querySelector(NOT_INLINE) === null)
  const isGrid = (table: DomNode | null) => table !== null && holdsCells(table)
  const inGrid = (...tags: readonly string[]) => {
    return (node: DomNode) => tags.includes(tagOf(node)) && isGrid(tableOf(node))
  }
  service.addRule('table', { filter: inGrid('table'), replacement: (content) => `\n\n${tight(content)}\n\n` })
  service.addRule('caption', { filter: inGrid('caption'), replacement: (content) => `\n\n${content}\n\n` })
  service.addRule('rows', { filter: inGrid('thead', 'tbody', 'tfoot'), replacement: (content) => `\n${content}\n` })
  service.addRule('row', { filter: inGrid('tr'), replacement: (content, node) => tableRow(content, node, started) })
  return service.addRule('cell', { filter: inGrid('td', 'th'), replacement: cell })
}

function tableOf(node: DomNode): DomNode | null {
  let at: DomNode | null = node
  while (at && tagOf(at) !== 'table') at = at.parentNode
  return at
}

function cell(content: string): string {
  return ` ${foldSpace(content).replaceAll('|', '\\|')} |`
}

function tableRow(content: string, node: DomNode, started: WeakSet<DomNode>): string {
  const table = tableOf(node)
  const cells = [...node.childNodes].filter(isElement).length
  const line = `\n|${content.replace(/\n+/g, ' ')}`
  if (!table || started.has(table)) return `${line}\n`
  started.add(table)
  return `${line}\n|${' --- |'.repeat(cells)}\n`
}

/** Removes blank lines between rows. A caption stays a separate paragraph. */
function tight(content: string): string {
  return content.trim().replace(/\|[^\S\n]*\n\s*\|/g, '|\n|')
}
