import { LineWrap, type Style } from './table.ts'

/** What may yet become the beginning of a block. */
const UNDECIDED = /^\s*(?:#{1,6}|[-+*]|\d{1,3}[.)]?|>|`{1,}|~{1,}|\|.*)?$/

const FENCE = /^\s*(?:`{3,}|~{3,})/

/** On and off, as terminals have it. */
const BOLD = ['\u001b[1m', '\u001b[22m'] as const
const CODE = ['\u001b[36m', '\u001b[39m'] as const

/**
 * Markdown as a terminal shows it, while it comes in pieces: headings and strong text are bold, code has a colour, items have
 * bullets, and lines are wrapped. Tables and code stay as they are. The text must hold no control sequences.
 */
export class MarkdownView {
  readonly #style: Style
  readonly #wrap: LineWrap
  /** A line of which is not known what it is; undefined within one that is. */
  #start: string | undefined = ''
  #inFence = false
  #isHeading = false
  #isStrong = false
  #isCode = false
  /** An asterisk of which is not known whether another follows. */
  #hasStar = false

  constructor(style: Style) {
    this.#style = style
    this.#wrap = new LineWrap(style.width)
  }

  add(text: string): string {
    return [...text].map((sign) => (this.#start === undefined ? this.#inline(sign) : this.#begin(sign))).join('')
  }

  /** What is left, without a style that goes on. */
  end(): string {
    const start = this.#start ?? ''
    const rest = start === '' ? '' : this.#endLine(start)
    return rest + this.#closed() + this.#wrap.end()
  }

  /** The beginning of a line: gathered until it says what block it is of. */
  #begin(sign: string): string {
    const start = `${this.#start}${sign}`
    if (sign === '\n') return `${this.#endLine(start.slice(0, -1))}${this.#newLine()}`
    this.#start = start
    if (this.#inFence || UNDECIDED.test(start) || FENCE.test(start)) return ''
    this.#start = undefined
    return this.#block(start)
  }

  /** A line that is over before it was known what it is: of code, a fence, a row of a table, or short. */
  #endLine(line: string): string {
    this.#start = ''
    if (FENCE.test(line)) {
      this.#inFence = !this.#inFence
      return this.#style.dim(line)
    }
    if (this.#inFence) return this.#style.cyan(line)
    return line.trimStart().startsWith('|') ? line : this.#inlined(line)
  }

  #block(start: string): string {
    const [, heading] = /^\s*#{1,6}\s+(.*)$/s.exec(start) ?? []
    if (heading !== undefined) {
      this.#isHeading = true
      return this.#wrap.add(BOLD[0]) + this.#inlined(heading)
    }
    const [, indent, item] = /^(\s*)[-+*]\s(.*)$/s.exec(start) ?? []
    if (item !== undefined) return this.#wrap.add(`${indent}• `) + this.#inlined(item)
    const [, quote] = /^\s*>\s?(.*)$/s.exec(start) ?? []
    if (quote !== undefined) return this.#wrap.add('> ') + this.#inlined(quote)
    return this.#inlined(start)
  }

  #inlined(text: string): string {
    return [...text].map((sign) => this.#inline(sign)).join('')
  }

  #inline(sign: string): string {
    if (sign === '\n') return this.#newLine()
    if (sign === '`') return this.#star() + this.#toggle('code')
    if (sign === '*' && !this.#isCode) {
      if (!this.#hasStar) {
        this.#hasStar = true
        return ''
      }
      this.#hasStar = false
      return this.#toggle('strong')
    }
    return this.#star() + this.#wrap.add(sign)
  }

  /** One alone is itself: `2 * 3`. */
  #star(): string {
    if (!this.#hasStar) return ''
    this.#hasStar = false
    return this.#wrap.add('*')
  }

  #toggle(what: 'code' | 'strong'): string {
    if (what === 'code') {
      this.#isCode = !this.#isCode
      return this.#wrap.add(CODE[this.#isCode ? 0 : 1])
    }
    this.#isStrong = !this.#isStrong
    return this.#isHeading ? '' : this.#wrap.add(BOLD[this.#isStrong ? 0 : 1])
  }

  /** No style goes on behind its line. */
  #newLine(): string {
    this.#start = ''
    return this.#closed() + this.#wrap.add('\n')
  }

  #closed(): string {
    const star = this.#star()
    const code = this.#isCode ? CODE[1] : ''
    const strong = this.#isStrong || this.#isHeading ? BOLD[1] : ''
    this.#isCode = false
    this.#isStrong = false
    this.#isHeading = false
    return star + (code + strong === '' ? '' : this.#wrap.add(code + strong))
  }
}
