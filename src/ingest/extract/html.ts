import { TextDecoder } from 'node:util'
import { decode } from '../../text/decode.ts'
import {
  type Extracted,
  type Extraction,
  type ExtractLimits,
  notExtracted,
  replacedWarning,
  toExtraction,
} from '../extracted.ts'
import { type DomNode, isElement, tagOf, walkDom } from './dom.ts'
import { markdownOf } from './html-markdown.ts'
import { parseHtml } from './html-tree.ts'

/** Elements that are no text of the page. Headers, footers and asides may be, and stay. */
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

/** Elements deeper than this are read as text: to convert a page takes its size times its depth. */
const DEEPEST = 128

/** Bytes in which a page must name its encoding, as browsers have it. */
const DECLARED_WITHIN = 1024

/** What is found beside the text of a page. */
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
  const text = markdownOf(root).replaceAll('\u00A0', ' ')
  return { title: head.title || head.heading, text, syntax: 'markdown', metadata: head.metadata }
}

/** Takes out what is not text, and notes what stands for the page. */
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
  if (tag === 'title' && head.title === '' && !isInSvg(node)) head.title = node.textContent.trim()
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

function isInSvg(node: DomNode): boolean {
  return node.parentNode !== null && tagOf(node.parentNode) === 'svg'
}

/** The text of all that is in an element, but for what is dropped. */
function elementText(element: DomNode): string {
  const texts: string[] = []
  walkDom(element, (node) => {
    if (isElement(node)) return !DROPPED.has(tagOf(node))
    texts.push(node.textContent)
    return false
  })
  return texts.join(' ')
}

/** By its byte order mark, else by what the page says of itself, else as UTF-8. */
export function decodeHtml(bytes: Uint8Array): ReturnType<typeof decode> {
  const start = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1')
  const label = /<(?:meta\b[^<>]*?\bcharset|\?xml\b[^<>]*?\bencoding)\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(start)?.[1]
  const decoder = /^(?:\xFF\xFE|\xFE\xFF|\xEF\xBB\xBF)/.test(start) ? undefined : decoderOf(label)
  if (decoder === undefined || bytes.includes(0)) return decode(bytes)
  return { text: decoder.decode(bytes), replaced: 0 }
}

/** None for UTF-8, for UTF-16 (which a page that can be read as bytes is not), and for what is unknown. */
function decoderOf(label = 'utf-8'): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf-') ? undefined : decoder
  } catch {
    return undefined
  }
}
