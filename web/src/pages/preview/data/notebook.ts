/** Parses untrusted Jupyter notebooks. Invalid parts are left out, or shown as text. Pure. */

import { type MarkdownTree, type Node, readHtml } from '../../../ui/markdown/tree.ts'

export interface NotebookCell {
  readonly type: 'markdown' | 'code' | 'raw'
  readonly source: string
  /** The number of the cell's last execution. */
  readonly count?: number
  readonly outputs: readonly NotebookOutput[]
}

export type NotebookOutput =
  | { readonly type: 'text' | 'error' | 'markdown' | 'left'; readonly text: string }
  /** A `data:` URL. */
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'html'; readonly tree: MarkdownTree; readonly isWhole: boolean }

export interface NotebookContent {
  readonly cells: readonly NotebookCell[]
  readonly language: string
  /** Number of cells that are not shown. */
  readonly left: number
}

type Fields = Readonly<Record<string, unknown>>

/** Maximum number of cells, of outputs of a cell, and of characters in the HTML of an output. */
const LIMITS = { cells: 2_000, outputs: 100, html: 200_000 }

/** Reads a parsed JSON value; undefined if the value is not a notebook. */
export function readNotebook(value: unknown): NotebookContent | undefined {
  const { cells, worksheets, metadata } = fieldsOf(value)
  // Notebooks of version 3 have their cells in worksheets.
  const all = Array.isArray(cells) ? cells : Array.isArray(worksheets) ? fieldsOf(worksheets[0]).cells : undefined
  if (!Array.isArray(all)) return undefined
  const { language_info, kernelspec } = fieldsOf(metadata)
  const language = String(fieldsOf(language_info).name ?? fieldsOf(kernelspec).language ?? '')
  return { cells: all.slice(0, LIMITS.cells).map(readCell), language, left: Math.max(0, all.length - LIMITS.cells) }
}

function readCell(value: unknown): NotebookCell {
  const { cell_type: kind, source, input, execution_count: count, outputs } = fieldsOf(value)
  const type = kind === 'markdown' || kind === 'code' ? kind : kind === 'heading' ? 'markdown' : 'raw'
  const all = Array.isArray(outputs) ? outputs : []
  const left = all.length > LIMITS.outputs ? [leftOutput(`${all.length - LIMITS.outputs} more outputs`)] : []
  return {
    type,
    source: textIn(source ?? input),
    ...(typeof count === 'number' && { count }),
    outputs: [...all.slice(0, LIMITS.outputs).flatMap(readOutput), ...left],
  }
}

function readOutput(value: unknown): NotebookOutput[] {
  const output = fieldsOf(value)
  switch (output.output_type) {
    case 'stream':
      return [{ type: 'text', text: withoutEscapes(textIn(output.text)) }]
    case 'error':
    case 'pyerr': {
      const { ename, evalue, traceback } = output
      const trace = Array.isArray(traceback) ? traceback.map(String).join('\n') : ''
      return [{ type: 'error', text: withoutEscapes(trace || `${textIn(ename)}: ${textIn(evalue)}`) }]
    }
    default:
      return readBundle(fieldsOf(output.data ?? output))
  }
}

/** Formats of images that run no scripts. */
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads the richest form of an output. `data`: the forms of the output, by media type. */
function readBundle(data: Fields): NotebookOutput[] {
  for (const type of IMAGES) {
    const bytes = textIn(data[type]).replace(/\s/g, '')
    if (bytes !== '' && /^[\w+/]+={0,2}$/.test(bytes)) return [{ type: 'image', url: `data:${type};base64,${bytes}` }]
  }
  const drawing = textIn(data['image/svg+xml'])
  // In an `<img>`, browsers run no scripts of an SVG and load nothing.
  if (drawing !== '')
    return [{ type: 'image', url: `data:image/svg+xml;utf8,${encodeURIComponent(drawing.toWellFormed())}` }]
  const markdown = textIn(data['text/markdown'] ?? data['text/latex'])
  if (markdown !== '') return [{ type: 'markdown', text: markdown }]
  const html = textIn(data['text/html'])
  const tree = readOutputHtml(html.slice(0, LIMITS.html))
  if (tree && hasContent(tree.root)) return [{ type: 'html', tree, isWhole: html.length <= LIMITS.html }]
  if ('application/json' in data) return [{ type: 'json', value: data['application/json'] }]
  const plain = textIn(data['text/plain'])
  if (plain !== '') return [{ type: 'text', text: withoutEscapes(plain) }]
  if (html !== '') return [leftOutput('This output is drawn by a script, which is not run.')]
  const types = Object.keys(data).filter((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type))
  return types.length === 0 ? [] : [leftOutput(`This output is ${types.slice(0, 3).join(', ')}, which is not shown.`)]
}

/** Parses the HTML of an output; undefined for too many elements, or too deep nesting. */
function readOutputHtml(html: string): MarkdownTree | undefined {
  try {
    return readHtml(html, 'output-')
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** Whether a node contains text or an image. */
function hasContent({ value = '', tagName, children = [] }: Node): boolean {
  return value.trim() !== '' || tagName === 'img' || children.some(hasContent)
}

function leftOutput(text: string): NotebookOutput {
  return { type: 'left', text }
}

/** Removes the escape sequences that colour text in terminals. */
function withoutEscapes(text: string): string {
  return text.replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
