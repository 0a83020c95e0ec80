import type { Token } from 'markdown-it'
import { splitFrontMatter } from './front-matter.ts'
import { type Item, itemsOf, type Node } from './items.ts'
import { lineStarts, trimLines } from './lines.ts'
import { type Blocks, parseBlocks } from './markdown.ts'
import { parseFrontMatter } from './metadata.ts'

export type { Item } from './items.ts'

/** What stands below an H2, or before the first one. */
export interface Section {
  /** The heading as written; `''` for what stands before the first. */
  readonly title: string
  readonly items: readonly Item[]
  /** The Markdown of a section without items, its line ends as LF; else `''`. */
  readonly content: string
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
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { matter, body } = splitFrontMatter(source)
  const front = matter === undefined ? undefined : parseFrontMatter(matter)
  const { title, sections, warnings } = readBody(source.slice(body), lineStarts(source.slice(0, body)).length)
  return {
    parsed: { title, sections, metadata: front?.metadata ?? {} },
    warnings: [...(front?.warnings ?? unclosedMatter(source)), ...warnings],
  }
}

function unclosedMatter(source: string): string[] {
  return /^---[ \t]*\n[\w-]+:(?:[ \t]|\n|$)/.test(source) ? ['The front matter is not closed: it is read as text.'] : []
}

type Body = Pick<ParsedContent, 'title' | 'sections'> & { readonly warnings: string[] }

/** `firstLine`: the number of the body's first line in the file. */
function readBody(body: string, firstLine: number): Body {
  try {
    const blocks = parseBlocks(body)
    const lines = lineStarts(body)
    const nodes = treeOf(blocks.tokens)
    const warnings = warningsOf(blocks, body, { lines, firstLine })
    return {
      title: folded(nodes.find(isTitle)?.text ?? ''),
      sections: sectionsOf(nodes, body, { lines, env: blocks.env }),
      warnings,
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const content = trimBlankLines(body)
    const sections = content === '' ? [] : [{ title: '', items: [], content }]
    return { title: '', sections, warnings: [`The Markdown could not be parsed, and is one section: ${reason}`] }
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

interface Source {
  /** Offsets of the body's lines. */
  readonly lines: readonly number[]
  readonly env: Blocks['env']
}

function sectionsOf(nodes: readonly Node[], body: string, source: Source): Section[] {
  const heads = nodes.flatMap((node, index) => (node.heading === 2 ? [{ node, index }] : []))
  const sections = heads.map(({ node, index }, order) => {
    const next = heads[order + 1]
    const raw = slice(body, source, [node.map[1], next?.node.map[0]])
    return section(folded(node.text), raw, itemsOf(nodes.slice(index + 1, next?.index), source.env))
  })
  const before = nodes.slice(0, heads[0]?.index)
  const title = before.find(isTitle)?.map ?? [0, 0]
  const raw = slice(body, source, [0, title[0]]) + slice(body, source, [title[1], heads[0]?.node.map[0]])
  return raw.trim() === '' ? sections : [section('', raw, itemsOf(before, source.env)), ...sections]
}

/** The lines from the first to before the last; without a last one, to the end. */
function slice(body: string, { lines }: Source, [first, last]: readonly [number, number | undefined]): string {
  return body.slice(lines[first] ?? body.length, last === undefined ? body.length : lines[last])
}

function section(title: string, raw: string, items: readonly Item[]): Section {
  return { title, items, content: items.length > 0 ? '' : trimBlankLines(raw) }
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** The text without the blank lines around it. */
function trimBlankLines(text: string): string {
  const first = text.search(/\S/)
  if (first < 0) return ''
  const last = text.indexOf('\n', text.trimEnd().length)
  return text.slice(text.lastIndexOf('\n', first) + 1, last < 0 ? text.length : last)
}

interface Numbering {
  readonly lines: readonly number[]
  readonly firstLine: number
}

function warningsOf({ tokens, deep }: Blocks, body: string, { lines, firstLine }: Numbering): string[] {
  const warnings = deep ? ['Lists or quotes are nested too deeply: the innermost are read as text.'] : []
  for (const token of tokens) {
    const open = unclosed(token, body, lines)
    if (warnings.length === MOST_WARNINGS) break
    if (open && token.map) warnings.push(`Line ${token.map[0] + firstLine}: the ${open} is not closed.`)
  }
  return warnings
}

function unclosed({ type, map, content, markup }: Token, body: string, lines: readonly number[]): string | undefined {
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
