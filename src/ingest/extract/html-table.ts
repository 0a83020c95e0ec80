import type Turndown from 'turndown'
import { type DomNode, isElement, tagOf } from './dom.ts'

/** What no cell of a Markdown table can hold: a table that has any of it is layout, and its cells are blocks. */
const NOT_INLINE = 'table, pre, ul, ol, blockquote, hr, h1, h2, h3, h4, h5, h6'

/** Adds the rules by which a table becomes one of Markdown, its first row the header. */
export function addTables(service: Turndown): Turndown {
  const grids = new WeakMap<DomNode, boolean>()
  const started = new WeakSet<DomNode>()
  const inGrid = (...tags: readonly string[]) => {
    return (node: DomNode) => tags.includes(tagOf(node)) && isGrid(tableOf(node), grids)
  }
  service.addRule('table', { filter: inGrid('table'), replacement: (content) => `\n\n${tight(content)}\n\n` })
  service.addRule('caption', { filter: inGrid('caption'), replacement: (content) => `\n\n${content}\n\n` })
  service.addRule('rows', { filter: inGrid('thead', 'tbody', 'tfoot'), replacement: (content) => `\n${content}\n` })
  service.addRule('row', { filter: inGrid('tr'), replacement: (content, node) => row(content, node, started) })
  return service.addRule('cell', { filter: inGrid('td', 'th'), replacement: cell })
}

function isGrid(table: DomNode | null, grids: WeakMap<DomNode, boolean>): boolean {
  if (!table) return false
  const known = grids.get(table) ?? table.querySelector(NOT_INLINE) === null
  grids.set(table, known)
  return known
}

function tableOf(node: DomNode): DomNode | null {
  let at: DomNode | null = node
  while (at && tagOf(at) !== 'table') at = at.parentNode
  return at
}

function cell(content: string): string {
  return ` ${content.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')} |`
}

function row(content: string, node: DomNode, started: WeakSet<DomNode>): string {
  const table = tableOf(node)
  const cells = [...node.childNodes].filter(isElement).length
  const line = `\n|${content.replace(/\n+/g, ' ')}`
  if (!table || started.has(table)) return `${line}\n`
  started.add(table)
  return `${line}\n|${' --- |'.repeat(cells)}\n`
}

/** Without the blank lines between rows. A caption stays a paragraph of its own. */
function tight(content: string): string {
  return content.trim().replace(/\|\s*\n\s*\|/g, '|\n|')
}
