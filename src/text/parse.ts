import type { Token } from 'markdown-it'
import { ContentLines, type ContentNode, type Item } from './content.ts'
import { splitFrontMatter } from './front-matter.ts'
import { itemsOf, type Node } from './items.ts'
import { lineStarts, trimLines } from './lines.ts'
import { type Blocks, parseBlocks } from './markdown.ts'
import { parseFrontMatter } from './metadata.ts'

export type { ContentNode, Item } from './content.ts'

/** A section below an H2, or before the first one. */
export interface Section {
  /** The heading as written; `''` for what stands before the first. */
  readonly title: string
  readonly items: readonly Item[]
  /** The Markdown of a section without items, its line ends as LF; else `''`. */
  readonly content: string
  /** The Markdown of a section with items, less the lines that the items say all of; else `''`. */
  readonly prose: string
}

/** A Markdown text as data. */
export interface ParsedContent {
  /** The first H1 as written; `''` without one. */
  readonly title: string
  readonly sections: readonly Section[]
  /** The front matter: strings as they are, other values as JSON text. */
  readonly metadata: Readonly<Record<string, string>>
}

export interface Parsed {
  readonly parsed: ParsedContent
  readonly warnings: string[]
}

/** Warnings about the body; more of them say no more. */
const MOST_WARNINGS = 20

/**
 * Title, sections, items and front matter of a Markdown text. What is malformed is parsed as far as possible, and
 * warned of. Line ends and a byte order mark change nothing. Never throws.
 */
export function parseMarkdown(text: string): Parsed {
  const { source, matter, body } = splitSource(text)
  const front = matter === undefined ? undefined : parseFrontMatter(matter)
  const { title, sections, warnings } = readBody(source.slice(body), lineStarts(source.slice(0, body)).length)
  return {
    parsed: { title, sections, metadata: front?.metadata ?? {} },
    warnings: [...(front?.warnings ?? unclosedMatter(source)), ...warnings],
  }
}

/**
 * The text as the nodes that `parseMarkdown` makes its answer of: put together, they are the text, with LF as line ends
 * and without a byte order mark. Never throws.
 */
export function contentOf(text: string): readonly ContentNode[] {
  const { source, body } = splitSource(text)
  const front: ContentNode[] = body === 0 ? [] : [{ kind: 'front-matter', text: source.slice(0, body) }]
  return [...front, ...readBody(source.slice(body), 1).lines.nodes()]
}

function splitSource(text: string) {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return { source, ...splitFrontMatter(source) }
}

function unclosedMatter(source: string): string[] {
  return /^---[ \t]*\n[\w-]+:(?:[ \t]|\n|$)/.test(source) ? ['The front matter is not closed: it is read as text.'] : []
}

type ParsedBodyContent = Pick<ParsedContent, 'title' | 'sections'> & {
  readonly warnings: string[]
  readonly lines: ContentLines
}

/** `firstLine`: the number of the body's first line in the file. */
function readBody(body: string, firstLine: number): ParsedBodyContent {
  const lines = new ContentLines(body)
  try {
    const blocks = parseBlocks(body)
    const nodes = treeOf(blocks.tokens)
    const warnings = warningsOf(blocks, body, { lines: lines.starts, firstLine })
    const title = foldLine(nodes.find(isTitle)?.text ?? '')
    return { title, sections: sectionsOf(nodes, lines, blocks.env), warnings, lines }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const unmarked = new ContentLines(body)
    const whole: Section = { title: '', items: [], content: unmarked.contentIn([0]), prose: '' }
    const warnings = [`The Markdown could not be parsed, and is one section: ${reason}`]
    return { title: '', sections: isEmpty(whole) ? [] : [whole], warnings, lines: unmarked }
  }
}

/** The tokens as a tree. */
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

/** Marks in `lines` what the title, the headings and the items say; what is left of a section is its prose. */
function sectionsOf(nodes: readonly Node[], lines: ContentLines, env: Blocks['env']): Section[] {
  const heads = nodes.flatMap((node, index) => (node.heading === 2 ? [{ node, index }] : []))
  const before = nodes.slice(0, heads[0]?.index)
  const title = before.find(isTitle)
  if (title) lines.mark('title', title.map)
  for (const { node } of heads) lines.mark('heading', node.map)
  const first = readSection('', { nodes: before, range: [0, heads[0]?.node.map[0]] }, { lines, env })
  const sections = heads.map(({ node, index }, order) => {
    const next = heads[order + 1]
    const inside = { nodes: nodes.slice(index + 1, next?.index), range: [node.map[1], next?.node.map[0]] } as const
    return readSection(foldLine(node.text), inside, { lines, env })
  })
  return isEmpty(first) ? sections : [first, ...sections]
}

/** Content below a heading, as blocks and as lines. */
interface Inside {
  readonly nodes: readonly Node[]
  readonly range: readonly [first: number, last: number | undefined]
}

function readSection(
  title: string,
  { nodes, range }: Inside,
  { lines, env }: { readonly lines: ContentLines; readonly env: Blocks['env'] },
): Section {
  const placed = itemsOf(nodes, env)
  for (const { ranges } of placed) for (const one of ranges) lines.mark('item', one)
  const items = placed.map(({ item }) => item)
  if (items.length === 0) return { title, items, content: lines.contentIn(range), prose: '' }
  return { title, items, content: '', prose: lines.proseIn(range).join('\n\n') }
}

function isEmpty({ items, content }: Section): boolean {
  return items.length === 0 && content === ''
}

function foldLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

interface Numbering {
  readonly lines: readonly number[]
  readonly firstLine: number
}

function warningsOf({ tokens, deep }: Blocks, body: string, { lines, firstLine }: Numbering): string[] {
  const warnings = deep ? ['Lists or quotes are nested too deeply: the innermost are read as text.'] : []
  for (const token of tokens) {
    const open = unclosedWarning(token, body, lines)
    if (warnings.length === MOST_WARNINGS) break
    if (open && token.map) warnings.push(`Line ${token.map[0] + firstLine}: the ${open} is not closed.`)
  }
  return warnings
}

function unclosedWarning(
  { type, map, content, markup }: Token,
  body: string,
  lines: readonly number[],
): string | undefined {
  if (type === 'html_block') return /^ *<!--/.test(content) && !content.includes('-->') ? 'comment' : undefined
  if (type !== 'fence' || !map) return undefined
  const last =
    map[1] - map[0] > 1
      ? body
          .slice(lines[map[1] - 1], lines[map[1]])
          .replace(/^[\s>]+/, '')
          .trimEnd()
      : ''
  const closed = last.length >= markup.length && last === markup.charAt(0).repeat(last.length)
  return closed ? undefined : 'code fence'
}
