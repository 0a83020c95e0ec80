/** A page of the documentation as HTML. */

import MarkdownIt, { type Token } from 'markdown-it'
import { splitTextUnits, type TextUnit } from '../../src/retrieval/units.ts'

/** A heading of a page, for links to it. */
interface PageHeading {
  readonly level: number
  readonly text: string
  readonly id: string
  /** Line of the document, from 1. */
  readonly line: number
}

/** A page that was read. */
export interface SitePage {
  /** Path in the repository: `docs/guides/cli.md`. */
  readonly source: string
  /** Path in the site: `guides/cli.html`. */
  readonly address: string
  readonly title: string
  readonly headings: readonly PageHeading[]
  /** The body, as HTML. */
  readonly body: string
  readonly units: readonly TextUnit[]
}

/** The path of a document in the site. */
export function addressOf(source: string): string {
  if (source === 'README.md') return 'index.html'
  return source.replace(/^docs\//, '').replace(/\.md$/, '.html')
}

/** Reads a page. Links to other pages and pictures lead to them in the site. A link to another file becomes plain text. */
export function readPage(source: string, markdown: string, sources: ReadonlySet<string>): SitePage {
  const parser = new MarkdownIt({ html: false, linkify: false })
  const tokens = parser.parse(markdown, {})
  const seen = new Map<string, number>()
  const headings: PageHeading[] = []
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return
    const text = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join('')
    const slug = slugOf(text)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    const id = count === 0 ? slug : `${slug}-${count}`
    token.attrSet('id', id)
    headings.push({ level: Number(token.tag.slice(1)), text, id, line: (token.map?.[0] ?? 0) + 1 })
  })
  for (const token of tokens) {
    for (const child of token.children ?? []) {
      const href = child.type === 'link_open' ? child.attrGet('href') : null
      if (typeof href === 'string') setLink(child, siteLink(source, href, sources))
      const picture = child.type === 'image' ? child.attrGet('src') : null
      if (typeof picture === 'string') child.attrSet('src', relativeTo(source, resolveFrom(source, picture)))
    }
  }
  const title = headings.find(({ level }) => level === 1)?.text ?? source
  const body = parser.renderer.render(tokens, parser.options, {})
  return { source, address: addressOf(source), title, headings, body, units: splitTextUnits(markdown, { title }) }
}

/** A link that leads nowhere in the site becomes a span. */
function setLink(token: Token, link: string | undefined): void {
  if (link !== undefined) token.attrSet('href', link)
  else token.attrs = [['data-file', '']]
}

/** The id of a heading, as on GitHub. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** The link in the site; undefined for a file that the site does not have. */
function siteLink(source: string, href: string, sources: ReadonlySet<string>): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = resolveFrom(source, path)
  const page = sources.has(target) ? target : undefined
  if (page === undefined) return undefined
  return `${relativeTo(source, addressOf(page))}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Resolves a path relative to a document. */
function resolveFrom(source: string, path: string): string {
  return decodeURIComponent(new URL(path, `file:///${source}`).pathname.slice(1))
}

/** The path of a page of the site, or of a picture in docs/, relative to a page. */
export function relativeTo(source: string, target: string): string {
  const depth = addressOf(source).split('/').length - 1
  return `${'../'.repeat(depth)}${target.replace(/^docs\//, '')}`
}
