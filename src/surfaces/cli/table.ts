import { stripVTControlCharacters, styleText } from 'node:util'
import { displayWidth } from '../../text/columns.ts'

/** A cell of a table. `paint` colours it, after the widths of the columns are known. */
export interface TableCell {
  readonly text: string
  readonly paint?: (text: string) => string
  readonly alignsRight?: boolean
}

export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number
  /** Index of the column that is wrapped to the remaining width. Default: the last column. */
  readonly wrap?: number
}

const COLUMN_GAP = '  '
const MIN_WRAPPED_WIDTH = 20

/** Formats rows of cells as lines of text with aligned columns. */
export function table(rows: readonly (readonly TableCell[])[], { width, wrap }: TableOptions): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const wrappedColumn = wrap ?? columns - 1
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[column]?.text ?? ''))),
  )
  const otherWidths = widths.filter((_, column) => column !== wrappedColumn)
  const otherWidth = otherWidths.reduce((sum, each) => sum + each + COLUMN_GAP.length, 0)
  widths[wrappedColumn] = Math.min(widths[wrappedColumn] ?? 0, Math.max(MIN_WRAPPED_WIDTH, width - otherWidth))
  return rows.map((row) => rowLines(row, widths)).join('')
}

/** The lines of a row: as many as its longest cell needs. */
function rowLines(row: readonly TableCell[], widths: readonly number[]): string {
  const wrappedCells = row.map(({ text }, column) => wrapLines(text, widths[column] ?? 0).split('\n'))
  return Array.from({ length: Math.max(...wrappedCells.map((parts) => parts.length)) }, (_, line) => {
    const cells = row.map((cell, column) => padCell(wrappedCells[column]?.[line] ?? '', cell, widths[column] ?? 0))
    return `${cells.join(COLUMN_GAP).trimEnd()}\n`
  }).join('')
}

function padCell(text: string, { paint = (plain) => plain, alignsRight }: TableCell, width: number): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return alignsRight ? space + paint(text) : paint(text) + space
}

/** The text, cut to at most `width` characters. A cut text ends in ` …`. */
export function cutLine(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 2).toWellFormed()} …` : text
}

/** Wraps a text at spaces to at most `width` columns. A word that is longer stays whole. */
export function wrapLines(text: string, width: number): string {
  const wrap = new LineWrapper(width)
  return wrap.add(text) + wrap.end()
}

/** Wraps a text that arrives in pieces, word by word. A word that is longer than a line, such as a link, stays whole. */
export class LineWrapper {
  readonly #width: number
  /** Width of the current line. */
  #column = 0
  #spaces = ''
  #word = ''
  #linePrefix = ''

  constructor(width: number) {
    this.#width = width
  }

  /** Sets the prefix of continuation lines, for example of a list item. Ignores a prefix that is longer than half of a line. */
  setLinePrefix(prefix: string): void {
    this.#linePrefix = prefix.length * 2 <= this.#width ? prefix : ''
  }

  add(text: string): string {
    return [...text].map((character) => this.#addCharacter(character)).join('')
  }

  /** Ends the text. Returns the text that is still buffered. */
  end(): string {
    const rest = this.#flushWord() + this.#spaces
    this.#spaces = ''
    return rest
  }

  #addCharacter(character: string): string {
    if (character === '\n') {
      const line = `${this.end()}\n`
      this.#column = 0
      this.#linePrefix = ''
      return line
    }
    if (character !== ' ') {
      this.#word += character
      return ''
    }
    const before = this.#flushWord()
    this.#spaces += ' '
    return before
  }

  #flushWord(): string {
    if (this.#word === '') return ''
    const [spaces, word] = [this.#spaces, this.#word]
    const columns = displayWidth(stripVTControlCharacters(word))
    const startsNewLine = this.#column > 0 && this.#column + spaces.length + columns > this.#width
    this.#column = (startsNewLine ? this.#linePrefix.length : this.#column + spaces.length) + columns
    this.#spaces = ''
    this.#word = ''
    return (startsNewLine ? `\n${this.#linePrefix}` : spaces) + word
  }
}

/** What a stream can show. */
export interface DisplayTraits {
  readonly isTerminal: boolean
  /** Whether colour is refused. */
  readonly plain: boolean
  /** Columns of the terminal; undefined if unknown. */
  readonly columns: number | undefined
}

/** The text styles that the program uses. */
const PAINTS = ['bold', 'cyan', 'dim', 'green', 'magenta', 'red', 'yellow'] as const
type Paint = (typeof PAINTS)[number]

/** The width of a stream, and functions that colour text. Without colours, the functions return the text unchanged. */
export type Style = Readonly<Record<Paint, (text: string) => string>> & { readonly width: number }

/**
 * The style of a stream. Has colours only on a terminal, and not if `plain`. The width is at least 40 columns; 100 if it is
 * unknown.
 */
export function styleOf({ isTerminal, plain, columns }: DisplayTraits): Style {
  const hasColour = isTerminal && !plain
  const paint = (name: Paint) => (text: string) => (hasColour ? styleText(name, text, { validateStream: false }) : text)
  const paints = Object.fromEntries(PAINTS.map((name) => [name, paint(name)])) as Omit<Style, 'width'>
  return { ...paints, width: Math.max(40, columns || 100) }
}
