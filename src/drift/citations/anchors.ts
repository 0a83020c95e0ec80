import { readHeading } from '../../text/headings.ts'
import { markdownSpans } from '../../text/markdown-spans.ts'

const UNDERLINE = /^[ \t>]{0,3}(?:=+|-+)[ \t]*$/
const HTML_HEADING = /<h[1-6][^<>]{0,500}>((?:(?!<\/?h[1-6])[\s\S]){0,1000})<\/h[1-6]>/gi
const HTML_ANCHOR = /<[a-z][a-z0-9]{0,20}\s[^<>]{0,500}?\b(?:id|name)\s*=\s*["']?([^"'\s>]{1,200})/gi
const CUSTOM_ANCHOR = /\{#([^\s{}]{1,200})\}$/

/** Maximum characters of a heading. The rest of a longer heading is ignored. */
const LONGEST_HEADING = 1000

/**
 * The anchors of a Markdown text, in lower case: the anchors that GitHub gives to headings (`-1` is appended for the
 * second heading of the same name), and explicit anchors, in HTML or as `{#name}`.
 */
export function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  const counts = new Map<string, number>()
  for (const { kind, start, end } of markdownSpans(text)) {
    if (kind === 'code') continue
    const span = text.slice(start, end)
    for (const title of titlesIn(span, kind)) addHeading(title, anchors, counts)
    for (const [, name = ''] of span.includes('<') ? span.matchAll(HTML_ANCHOR) : []) anchors.add(name.toLowerCase())
  }
  return anchors
}

function titlesIn(span: string, kind: 'heading' | 'prose'): string[] {
  if (kind === 'heading') return [readHeading(span.slice(0, LONGEST_HEADING).trimEnd())?.title ?? '']
  const lines = span.trimEnd().split(/\r\n?|\n/)
  const underline = lines.findIndex((line, index) => index > 0 && UNDERLINE.test(line))
  const setext = underline > 0 ? [lines.slice(0, underline).join(' ').slice(0, LONGEST_HEADING).trim()] : []
  const html = span.includes('</h') ? [...span.matchAll(HTML_HEADING)].map(([, title = '']) => title.trim()) : []
  return [...setext, ...html]
}

function addHeading(title: string, anchors: Set<string>, counts: Map<string, number>): void {
  const custom = CUSTOM_ANCHOR.exec(title)
  if (custom?.[1]) anchors.add(custom[1].toLowerCase())
  const rendered = renderTitle(title.replace(CUSTOM_ANCHOR, '').trimEnd())
  const plain = rendered.replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
  for (const slug of new Set([slugOf(rendered), slugOf(plain)])) {
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
}

/** A heading's text without links, images and tags. */
function renderTitle(title: string): string {
  return title
    .replace(/!\[[^[\]]{0,500}\]\([^()]{0,1000}\)/g, '')
    .replace(/\[([^[\]]{0,500})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,500}\])/g, '$1')
    .replace(/`[^`]*`|<\/?[a-z][^<>]{0,500}>/gi, (match) => (match.startsWith('`') ? match : ''))
    .trim()
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Looks up anchors in texts. Parses each text once. */
export class AnchorLookup {
  readonly #anchors = new Map<string, ReadonlySet<string>>()

  /** Whether a text has an anchor. Line numbers (`#L10`) and parameters of a page (`#a=b`) count as existing. */
  has(text: string, cited: string): boolean {
    const anchor = cited.toLowerCase().replace(/^user-content-/, '')
    if (anchor === '' || anchor === 'top' || /^l\d+(?:-l?\d+)?$|[=/!~:{}<>$]/.test(anchor)) return true
    const anchors = this.#anchors.get(text) ?? anchorsIn(text)
    this.#anchors.set(text, anchors)
    return anchors.has(anchor)
  }
}
