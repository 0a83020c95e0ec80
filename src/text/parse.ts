import type { Token } from 'markdown-it'
import { ContentLines, type Item, type LineSpan } from './content.ts'
import { splitFrontMatter } from './front-matter.ts'
import { itemsOf, type Node } from './items.ts'
import { lineStarts, trimLines } from './lines.ts'
import { type Blocks, parseBlocks } from './markdown.ts'
import { parseFrontMatter } from './metadata.ts'
import { foldSpace } from './trim.ts'

export type { Item } from './content.ts'

/** A section below an H2, or before the first H2. */
export interface Section {
  /** The heading as written; `''` for the text before the first heading. */
  readonly title: string
  readonly items: readonly Item[]
  /** The Markdown of a section without items, its line ends as LF; else `''`. */
  readonly content: string
  /** The Markdown of a section with items, without lines whose whole content is in an item; else `''`. */
  readonly prose: string
}

/** A Markdown text as data. */
export interface ParsedContent {
  /** The first H1 as written; `''` without an H1. */
  readonly title: string
  readonly sections: readonly Section[]
  /** The front matter: strings as they are, other values as JSON text. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Maximum number of warnings about the body. */
const MAX_WARNINGS = 20

/**
 * The title, sections, items and front matter of a Markdown text, and warnings. Malformed Markdown is parsed as far as
 * possible, with a warning. Kinds of line ends and a byte order mark make no difference. Never throws.
 */
export function parseMarkdown(text: string) {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { matter, body } = splitFrontMatter(source)
  const frontMatter = matter === undefined ? undefined : parseFrontMatter(matter)
  const lines = new ContentLines(source.slice(body))
  const blocks = parseBlocks(source.slice(body))
  const nodes = treeOf(blocks.tokens)
  const title = foldSpace(nodes.find(isTitle)?.text ?? '')
  const warnings = warningsOf(blocks, lines, lineStarts(source.slice(0, body)).length)
  const sections = sectionsOf(nodes, lines, blocks.env)
  const parsed: ParsedContent = { title, sections, metadata: frontMatter?.metadata ?? {} }
  return { parsed, warnings: [...(frontMatter?.warnings ?? unclosedMatter(source)), ...warnings] }
}

function unclosedMatter(source: string): string[] {
  return /^---[ \t]*\n[\w-]+:(?:[ \t]|\n|$)/.test(source) ? ['The front matter is not closed: it is read as text.'] : []
}

function treeOf(tokens: readonly Token[]): readonly Node[] {
  const root: Node = nodeOf()
  const path = [root]
  for (const token of tokens) {
    const parent = path.at(-1) ?? root
    if (token.nesting < 0) path.pop()
    else if (token.type === 'inline') parent.text = trimLines(token.content, '\n')
    else {
      const node = nodeOf(token)
      parent.children.push(node)
      if (token.nesting > 0) path.push(node)
    }
  }
  return root.children
}

function nodeOf(token?: Token): Node {
  const heading = token?.type === 'heading_open' ? Number(token.tag.slice(1)) : 0
  return { type: token?.type.replace('_open', '') ?? '', heading, map: token?.map ?? [0, 0], text: '', children: [] }
}

function isTitle({ heading }: Node): boolean {
  return heading === 1
}

/** The sections. Marks the lines of the title, headings and items in `lines`; unmarked lines are prose of a section. */
function sectionsOf(nodes: readonly Node[], lines: ContentLines, env: Blocks['env']): Section[] {
  const heads = nodes.flatMap((node, index) => (node.heading === 2 ? [{ node, index }] : []))
  const leading = nodes.slice(0, heads[0]?.index)
  const mainHeading = leading.find(isTitle)
  if (mainHeading) lines.markHeading(mainHeading.map)
  for (const { node } of heads) lines.markHeading(node.map)
  const readSection = (title: string, content: readonly Node[], range: LineSpan): Section => {
    const items = itemsOf(content, { env, mark: (one) => lines.markItem(one) })
    if (items.length === 0) return { title, items, content: lines.contentIn(range), prose: '' }
    return { title, items, content: '', prose: lines.proseIn(range).join('\n\n') }
  }
  const first = readSection('', leading, [0, heads[0]?.node.map[0]])
  const sections = heads.map(({ node, index }, order) => {
    const next = heads[order + 1]
    const content = nodes.slice(index + 1, next?.index)
    return readSection(foldSpace(node.text), content, [node.map[1], next?.node.map[0]])
  })
  return first.items.length === 0 && first.content === '' ? sections : [first, ...sections]
}

/** Warnings about the form of a text. `firstLine`: the number of the body's first line in the file. */
function warningsOf({ tokens, isTooDeep }: Blocks, lines: ContentLines, firstLine: number): string[] {
  const warnings = isTooDeep ? ['Lists or quotes are nested too deeply: the innermost are read as text.'] : []
  for (const token of tokens) {
    const unclosed = unclosedWarning(token, lines)
    if (warnings.length === MAX_WARNINGS) break
    if (unclosed && token.map) warnings.push(`Line ${token.map[0] + firstLine}: the ${unclosed} is not closed.`)
  }
  return warnings
}

function unclosedWarning({ type, map, content, markup }: Token, lines: ContentLines): string | undefined {
  if (type === 'html_block') return /^ *<!--/.test(content) && !content.includes('-->') ? 'comment' : undefined
  if (type !== 'fence' || !map) return undefined
  const line = map[1] - map[0] > 1 ? lines.slice(map[1] - 1, map[1]) : ''
  const lastLine = line.replace(/^[\s>]+/, '').trimEnd()
  const isClosed = lastLine.length >= markup.length && lastLine === markup.charAt(0).repeat(lastLine.length)
  return isClosed ? undefined : 'code fence'
}
