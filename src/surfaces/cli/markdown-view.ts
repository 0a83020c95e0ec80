import { displayWidth } from '../../text/columns.ts'
import { cellsOfRow } from '../../text/tables.ts'
import { LineWrapper, type Style, table } from './table.ts'

/** Matches the start of a line while the kind of its block is still unknown. */
const UNDECIDED = /^\s*(?:#{1,6}|[-+*]|\d{1,3}[.)]?|>|`{1,}|~{1,}|\|.*)?$/

const FENCE = /^\s*(?:`{3,}|~{3,})/

/** Control sequences of a terminal: on and off. */
const BOLD = ['\u001b[1m', '\u001b[22m'] as const
const ITALIC = ['\u001b[3m', '\u001b[23m'] as const
const CODE = ['\u001b[36m', '\u001b[39m'] as const

/** The styles of text, all off. */
const PLAIN = { heading: false, strong: false, italic: false, code: false }

/**
 * Formats Markdown for a terminal while the text arrives in pieces: headings and strong text are bold, emphasis is italic, code
 * has a colour, items have bullets, lines are wrapped, and complete tables are aligned. Lines of code are not wrapped. The text
 * must not contain control sequences.
 */
export class MarkdownView {
  readonly #style: Style
  readonly #wrap: LineWrapper
  /** The start of a line whose kind is unknown; undefined within a line of known kind. */
  #lineStart: string | undefined = ''
  #inFence = false
  #openStyles = { ...PLAIN }
  /** Rows of an incomplete table. */
  #tableRows: string[] = []
  /** The character before an asterisk. */
  #previousCharacter = ' '
  /** Whether the last character was an asterisk that is not yet shown, because another may follow. */
  #hasStar = false

  constructor(style: Style) {
    this.#style = style
    this.#wrap = new LineWrapper(style.width)
  }

  add(text: string): string {
    return [...text]
      .map((character) => (this.#lineStart === undefined ? this.#addInline(character) : this.#addToStart(character)))
      .join('')
  }

  /** Ends the text. Returns the text that is still buffered, and ends all styles. */
  end(): string {
    const start = this.#lineStart ?? ''
    const rest = start === '' ? '' : this.#endLine(start)
    return rest + this.#endTable().replace(/\n$/, start === '' ? '\n' : '') + this.#closeStyles() + this.#wrap.end()
  }

  /** Collects the beginning of a line until the kind of its block is known. */
  #addToStart(character: string): string {
    const start = `${this.#lineStart}${character}`
    if (character === '\n') {
      const line = this.#endLine(start.slice(0, -1))
      return this.#tableRows.length > 0 ? line : `${line}${this.#newLine()}`
    }
    this.#lineStart = start
    if (this.#inFence || UNDECIDED.test(start) || FENCE.test(start)) return ''
    this.#lineStart = undefined
    return this.#endTable() + this.#showBlock(start)
  }

  /** Formats a line that ended before its kind was known: code, a fence, a row of a table, or a short line. */
  #endLine(line: string): string {
    this.#lineStart = ''
    if (!this.#inFence && line.trimStart().startsWith('|')) {
      this.#tableRows.push(line)
      return ''
    }
    const tableAbove = this.#endTable()
    if (FENCE.test(line)) {
      this.#inFence = !this.#inFence
      return tableAbove + this.#style.dim(line)
    }
    return tableAbove + (this.#inFence ? this.#style.cyan(line) : this.#showInline(line))
  }

  /** Formats the table that has ended; `''` without one. */
  #endTable(): string {
    const rows = this.#tableRows
    this.#tableRows = []
    if (rows.length === 0) return ''
    return alignTable(rows, this.#style) ?? rows.map((row) => this.#wrap.add(`${row}\n`)).join('')
  }

  #showBlock(start: string): string {
    const [, heading] = /^\s*#{1,6}\s+(.*)/s.exec(start) ?? []
    if (heading !== undefined) {
      this.#openStyles.heading = true
      return this.#wrap.add(BOLD[0]) + this.#showInline(heading)
    }
    const [, indent, item] = /^(\s*)[-+*]\s(.*)$/s.exec(start) ?? []
    if (item !== undefined) return this.#showHanging(`${indent}• `, item)
    const [, quote] = /^\s*>\s?(.*)$/s.exec(start) ?? []
    if (quote !== undefined) return this.#showHanging('> ', quote, '> ')
    const [, number, numbered] = /^(\s*\d{1,3}[.)]\s)(.*)$/s.exec(start) ?? []
    if (number !== undefined && numbered !== undefined) return this.#showHanging(number, numbered)
    return this.#showInline(start)
  }

  /** Formats a block whose continuation lines are indented to the start of its text. */
  #showHanging(lead: string, text: string, linePrefix = ' '.repeat(lead.length)): string {
    this.#wrap.setLinePrefix(linePrefix)
    return this.#wrap.add(lead) + this.#showInline(text)
  }

  #showInline(text: string): string {
    return [...text].map((character) => this.#addInline(character)).join('')
  }

  #addInline(character: string): string {
    if (character === '\n') return this.#newLine()
    if (character === '`') return this.#resolveStar(character) + this.#toggle('code')
    if (character === '*' && !this.#openStyles.code) {
      if (!this.#hasStar) {
        this.#hasStar = true
        return ''
      }
      this.#hasStar = false
      return this.#toggle('strong')
    }
    const star = this.#resolveStar(character)
    this.#previousCharacter = character
    return star + this.#wrap.add(character)
  }

  /**
   * Handles a pending single asterisk. It starts emphasis before a word, and ends emphasis after a word. Any other asterisk is
   * literal, as in `2 * 3`.
   */
  #resolveStar(next: string): string {
    if (!this.#hasStar) return ''
    this.#hasStar = false
    const isOn = this.#openStyles.italic
      ? this.#previousCharacter === ' '
      : /[\p{L}\p{N}"“(]/u.test(next) && !/[\p{L}\p{N}]/u.test(this.#previousCharacter)
    if (this.#openStyles.italic === isOn) return this.#wrap.add('*')
    this.#openStyles.italic = isOn
    return this.#wrap.add(ITALIC[isOn ? 0 : 1])
  }

  #toggle(name: 'code' | 'strong'): string {
    this.#openStyles[name] = !this.#openStyles[name]
    if (name === 'strong' && this.#openStyles.heading) return ''
    const sequences = name === 'code' ? CODE : BOLD
    return this.#wrap.add(sequences[this.#openStyles[name] ? 0 : 1])
  }

  /** Ends the line with all its styles. */
  #newLine(): string {
    this.#lineStart = ''
    return this.#closeStyles() + this.#wrap.add('\n')
  }

  #closeStyles(): string {
    const star = this.#resolveStar('\n')
    const { code, strong, heading, italic } = this.#openStyles
    const endSequences = (code ? CODE[1] : '') + (strong || heading ? BOLD[1] : '') + (italic ? ITALIC[1] : '')
    this.#openStyles = { ...PLAIN }
    this.#previousCharacter = ' '
    return star + (endSequences === '' ? '' : this.#wrap.add(endSequences))
  }
}

/** Minimum width of the widest column of a table, in columns of the terminal. */
const MIN_WIDEST_COLUMN = 20

/**
 * Formats consecutive rows as an aligned table. Returns undefined if the rows are not a table, if the columns do not fit the
 * width, or if a row has too many cells.
 */
function alignTable(rows: readonly string[], { bold, width }: Style): string | undefined {
  const [header = [], rule = [], ...below] = rows.map((row) => cellsOfRow(row, ''))
  if (rule.length === 0 || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  // Without the marks of strong text and code.
  const lines = [header, ...below].map((cells) => cells.map((cell) => cell.replace(/\*\*|`/g, '').trim()))
  if (lines.some((cells) => cells.slice(rule.length).some((cell) => cell !== ''))) return undefined
  const widths = rule.map((_, column) => Math.max(...lines.map((cells) => displayWidth(cells[column] ?? ''))))
  const wrappedColumn = widths.indexOf(Math.max(...widths))
  const otherWidth = widths.reduce((sum, each, column) => sum + (column === wrappedColumn ? 0 : each + 2), 0)
  if (otherWidth + MIN_WIDEST_COLUMN > width) return undefined
  const cellOf = (line: readonly string[], isHeader: boolean) => (ruleCell: string, column: number) => ({
    text: line[column] ?? '',
    alignsRight: ruleCell.endsWith(':') && !ruleCell.startsWith(':'),
    ...(isHeader && { paint: bold }),
  })
  const cells = lines.map((line, at) => rule.map(cellOf(line, at === 0)))
  return table(cells, { width, wrap: wrappedColumn })
}
