/** Parses Markdown into the tree that is rendered. Headings, outline and ids come from the same tree. */

import GithubSlugger from 'github-slugger'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { type Processor, unified } from 'unified'
import { legible } from '../controls.ts'
import { remarkAlerts } from '../remark-alerts.ts'
import { type CitationSyntax, remarkCitations } from '../remark-citations.ts'
import type { Lines } from '../text-places.ts'
import { findId } from './ids.ts'
import { remarkWikiLinks } from './remark-wiki-links.ts'

interface Point {
  readonly line: number
  readonly offset?: number
}

export interface Node {
  readonly type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
  readonly position?: { readonly start: Point; readonly end: Point }
}

export interface Heading {
  readonly id: string
  readonly depth: number
  readonly text: string
}

export interface MarkdownTree {
  readonly root: Node
  readonly headings: readonly Heading[]
}

interface ReadOptions {
  /** Prefix of ids, so that two texts of a page share none. */
  readonly prefix: string
  readonly citing?: CitationSyntax | undefined
  /** Plugins that read formulas. */
  readonly math?: readonly unknown[]
  /** Whether to read links such as `[[Page]]`. */
  readonly hasWikiLinks?: boolean
  /** Lines whose blocks are marked. */
  readonly marked?: Lines | undefined
}

/** Maximum depth of elements. Deeper elements become text. */
const DEEPEST = 100

const ALERT_CLASSES = [/^alert(-[a-z]+)?$/]

/** GitHub's rules, with the classes that formulas and alerts need. `LinkRenderers` decides which images are loaded. */
function schemaFor(prefix: string, strip: readonly string[] = []) {
  const { protocols } = defaultSchema
  const attributes = defaultSchema.attributes ?? {}
  return {
    ...defaultSchema,
    clobberPrefix: prefix,
    tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'source'),
    strip: ['script', 'style', 'template', 'title', 'textarea', ...strip],
    attributes: {
      ...attributes,
      code: [['className', /^language-./, 'math-inline', 'math-display']],
      blockquote: [...(attributes.blockquote ?? []), ['className', ...ALERT_CLASSES]],
      p: [['className', ...ALERT_CLASSES]],
    },
    // `LinkRenderers` decides where links may lead, because it knows the URLs of places.
    protocols: { ...protocols, href: null, src: null, longDesc: null },
  }
}

/** Elements that GitHub shows as text, because some of them would contain the rest of the page. */
const FILTERED = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)[\s/>])/gi

function remarkTagFilter() {
  return (tree: Node): void => filterTags(tree, new ElementCounter())
}

function filterTags(node: Node, counter: ElementCounter): void {
  if (node.type === 'html') {
    node.value = (node.value ?? '').replace(FILTERED, '&lt;')
    counter.add(node.value)
  }
  for (const child of node.children ?? []) filterTags(child, counter)
}

/** Maximum elements of a text. */
const MOST_ELEMENTS = 50_000

const TAG = /<(\/?)([a-z][a-z\d]*)/gi
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/**
 * Counts the elements that a parser would make. A parser repeats each open formatting element in each following block, so
 * 20 kB of `<i id=1><p><i id=2><p>…` are millions of elements.
 */
class ElementCounter {
  #open = 0
  #elements = 0

  /** @throws RangeError for too many elements. */
  add(html: string): void {
    for (const [, end, name = ''] of html.matchAll(TAG)) {
      if (!FORMATTING.has(name.toLowerCase())) this.#elements += 1 + this.#open
      else if (end === '/') this.#open = Math.max(0, this.#open - 1)
      else this.#open++
    }
    if (this.#elements > MOST_ELEMENTS) throw new RangeError('The text has too many elements.')
  }
}

/** Matches a line within 100 or more quotes and lists: a parser would take seconds. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){100}/m

/** Parses Markdown into a sanitized tree. @throws RangeError for too deep nesting or too many elements. */
export function readMarkdown(
  text: string,
  { prefix, citing, math = [], hasWikiLinks = false, marked }: ReadOptions,
): MarkdownTree {
  if (TOO_DEEP.test(text)) throw new RangeError('The text is nested too deeply.')
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkCjkFriendly) as unknown as Processor
  for (const plugin of math) processor.use(plugin as never)
  processor.use(remarkAlerts as never).use(remarkTagFilter as never)
  if (hasWikiLinks) processor.use(remarkWikiLinks as never)
  if (citing) processor.use(remarkCitations as never, citing as never)
  processor
    .use(remarkRehype as never, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabelProperties: {} } as never)
    .use(rehypeRaw as never)
    .use(rehypeSanitize as never, schemaFor(prefix) as never)
  const root = processor.runSync(processor.parse(text), text as never) as unknown as Node
  if (marked) markBlocks(root, marked)
  return { root, headings: setIds(root, prefix) }
}

const BLOCKS = new Set('p li tr h1 h2 h3 h4 h5 h6 pre dt dd blockquote summary'.split(' '))

/** Gives `data-hit` to the innermost blocks that hold one of the lines. Returns whether it marked a block. */
function markBlocks(node: Node, lines: Lines): boolean {
  const { position, tagName = '', children = [] } = node
  if (position && (position.end.line < lines.from || position.start.line > lines.to)) return false
  const isInside = children.map((child) => markBlocks(child, lines)).includes(true)
  if (isInside || !BLOCKS.has(tagName) || !position) return isInside
  node.properties = { ...node.properties, dataHit: '' }
  return true
}

/** Elements that draw or embed content. They are removed with their text, which has no meaning alone. */
const DRAWN = ['iframe', 'svg', 'math', 'object', 'noscript', 'canvas', 'audio', 'video', 'head', 'button', 'select']

/** Sanitizes HTML of a notebook by the same rules. */
export function readHtml(html: string, prefix: string): MarkdownTree {
  new ElementCounter().add(html)
  const processor = unified()
    .use(rehypeRaw)
    .use(rehypeSanitize, schemaFor(prefix, DRAWN) as never)
  const root = processor.runSync({ type: 'root', children: [{ type: 'raw', value: html }] } as never) as unknown as Node
  return { root, headings: setIds(root, prefix) }
}

/**
 * Sets the ids of headings and the targets of links, and replaces invisible characters by their code points. Returns the
 * headings.
 */
function setIds(root: Node, prefix: string): Heading[] {
  const headings: Heading[] = []
  const links: Node[] = []
  const ids = new Set<string>()
  const slugger = new GithubSlugger()
  const visit = (node: Node, depth: number): void => {
    if (node.type === 'text') node.value = legible(node.value ?? '')
    // The empty corner of a table is not a header.
    if (node.tagName === 'th' && textIn(node).trim() === '') node.tagName = 'td'
    if (depth > DEEPEST && node.children) node.children = [{ type: 'text', value: legible(textIn(node)) }]
    for (const child of node.children ?? []) visit(child, depth + 1)
    const props = { ...node.properties }
    const level = /^h([1-6])$/.exec(node.tagName ?? '')?.[1]
    if (level !== undefined && props.id === undefined) {
      const text = textIn(node).trim()
      props.id = `${prefix}${slugger.slug(text)}`
      node.properties = props
      if (text !== '') headings.push({ id: String(props.id), depth: Number(level), text })
    }
    for (const id of [props.id, props.name]) if (typeof id === 'string') ids.add(id)
    if (node.tagName === 'a' && typeof props.href === 'string' && props.href.startsWith('#')) links.push(node)
  }
  visit(root, 0)
  for (const { properties = {} } of links) {
    const target = findId(ids, String(properties.href).slice(1), prefix)
    if (target !== undefined) properties.href = `#${target}`
  }
  return headings
}

export function textIn(node: Node): string {
  return node.value ?? (node.children ?? []).map(textIn).join('')
}
