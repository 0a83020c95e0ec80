import { stripVTControlCharacters, styleText } from 'node:util'
import { displayWidth } from '../../text/columns.ts'

/** A cell of a table. It is coloured after the widths are known. */
export interface TableCell {
  readonly text: string
  readonly paint?: (text: string) => string
  readonly alignsRight?: boolean
}

export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number
  /** The column that is wrapped to the remaining width. Default: the last. */
  readonly wrap?: number
}

const GAP = '  '
const MIN_WRAPPED_WIDTH = 20

/** Rows of cells as lines of text with aligned columns. */
export function table(rows: readonly (readonly TableCell[])[], { width, wrap }: TableOptions): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const wrappedColumn = wrap ?? columns - 1
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[column]?.text ?? ''))),
  )
  const otherWidth = widths.reduce((sum, each, column) => sum + (column === wrappedColumn ? 0 : each + GAP.length), 0)
  widths[wrappedColumn] = Math.min(widths[wrappedColumn] ?? 0, Math.max(MIN_WRAPPED_WIDTH, width - otherWidth))
  return rows.map((row) => rowLines(row, widths)).join('')
}

/** The lines of a row: as many as its longest cell needs. */
function rowLines(row: readonly TableCell[], widths: readonly number[]): string {
  const wrappedCells = row.map(({ text }, column) => wrapLines(text, widths[column] ?? 0).split('\n'))
  return Array.from({ length: Math.max(...wrappedCells.map((parts) => parts.length)) }, (_, line) => {
    const cells = row.map((cell, column) => padCell(wrappedCells[column]?.[line] ?? '', cell, widths[column] ?? 0))
    return `${cells.join(GAP).trimEnd()}\n`
  }).join('')
}

function padCell(text: string, { paint = (plain) => plain, alignsRight }: TableCell, width: number): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return alignsRight ? space + paint(text) : paint(text) + space
}

/** The text, cut with a mark to at most `width` characters. */
export function cutLine(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 2).toWellFormed()} …` : text
}

/** Wraps a text at spaces to at most `width` columns. A longer word stays whole. */
export function wrapLines(text: string, width: number): string {
  const wrap = new LineWrap(width)
  return wrap.add(text) + wrap.end()
}

/** Wraps a text that arrives in pieces, word by word. A word that is longer than a line, such as a link, stays whole. */
export class LineWrap {
  readonly #width: number
  /** Width of the current line. */
  #column = 0
  #spaces = ''
  #word = ''
  #linePrefix = ''

  constructor(width: number) {
    this.#width = width
  }

  /** Sets the prefix of continuation lines, as in a list item. A prefix longer than half of a line is not used. */
  hang(prefix: string): void {
    this.#linePrefix = prefix.length * 2 <= this.#width ? prefix : ''
  }

  add(text: string): string {
    return [...text].map((character) => this.#addCharacter(character)).join('')
  }

  /** Returns the rest. */
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
export interface Look {
  readonly isTerminal: boolean
  /** Whether colour is refused. */
  readonly plain: boolean
  readonly columns: number | undefined
}

/** The colours and weights that the program uses. */
const PAINTS = ['bold', 'cyan', 'dim', 'green', 'magenta', 'red', 'yellow'] as const
type Paint = (typeof PAINTS)[number]

/** The width and the colours of a stream. Without colours, the functions return the text. */
export type Style = Readonly<Record<Paint, (text: string) => string>> & { readonly width: number }

/** Colours only on a terminal, and not if `plain`; 100 columns if the width is unknown. */
export function styleOf({ isTerminal, plain, columns }: Look): Style {
  const hasColour = isTerminal && !plain
  const paint = (name: Paint) => (text: string) => (hasColour ? styleText(name, text, { validateStream: false }) : text)
  const paints = Object.fromEntries(PAINTS.map((name) => [name, paint(name)])) as Omit<Style, 'width'>
  return { ...paints, width: Math.max(40, columns || 100) }
}
