import picocolors from 'picocolors'
import { displayWidth } from '../../text/columns.ts'

/** A cell of a table. The paint is put on after the widths are known. */
export interface TableCell {
  readonly text: string
  readonly paint?: (text: string) => string
  readonly right?: boolean
}

/** How a table fits. */
export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number
  /** The column that is wrapped to what the others leave; the last one is, by default. */
  readonly wrap?: number
}

const GAP = '  '
const LEAST = 20

/** Rows of cells as lines of text, the columns under each other. */
export function table(rows: readonly (readonly TableCell[])[], { width, wrap }: TableOptions): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const wrapped = wrap ?? columns - 1
  const widths = Array.from({ length: columns }, (_, column) => widest(rows, column))
  const others = widths.reduce((sum, each, column) => sum + (column === wrapped ? 0 : each + GAP.length), 0)
  widths[wrapped] = Math.max(LEAST, Math.min(widths[wrapped] ?? 0, width - others))
  return rows.map((row) => lines(row, widths)).join('')
}

function widest(rows: readonly (readonly TableCell[])[], column: number): number {
  return Math.max(0, ...rows.map((row) => displayWidth(row[column]?.text ?? '')))
}

/** As many lines as the longest cell needs. */
function lines(row: readonly TableCell[], widths: readonly number[]): string {
  const broken = row.map(({ text }, column) => wrapWords(text, widths[column] ?? 0))
  const height = Math.max(...broken.map((parts) => parts.length))
  return Array.from({ length: height }, (_, line) => {
    const cells = row.map((cell, column) => padCell(broken[column]?.[line] ?? '', cell, widths[column] ?? 0))
    return `${cells.join(GAP).trimEnd()}\n`
  }).join('')
}

function padCell(text: string, { paint = (plain) => plain, right }: TableCell, width: number): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return right ? space + paint(text) : paint(text) + space
}

/** Breaks a text at spaces into lines of at most `width` columns; a longer word is broken anywhere. */
function wrapWords(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text]
  const found: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => breakWord(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= width) line = longer
    else {
      found.push(line)
      line = word
    }
  }
  return [...found, line]
}

function breakWord(word: string, width: number): string[] {
  if (displayWidth(word) <= width || width < 1) return [word]
  const points = [...word]
  const parts: string[] = []
  for (let at = 0; at < points.length; at += width) parts.push(points.slice(at, at + width).join(''))
  return parts
}

/** What a stream can show. */
export interface Look {
  readonly isTerminal: boolean
  /** Colour is refused. */
  readonly plain: boolean
  readonly columns: number | undefined
}

/** How text may look: columns, and colours that do nothing where there are none. */
export type Style = ReturnType<typeof picocolors.createColors> & { readonly width: number }

/** Colours only on a terminal, and when they were not refused; 100 columns where nobody can say. */
export function styleOf({ isTerminal, plain, columns }: Look): Style {
  return { ...picocolors.createColors(isTerminal && !plain), width: Math.max(40, columns || 100) }
}
