import { lineAt, lineStarts } from '../../text/lines.ts'
import { closeSpan, markdownSpans } from '../../text/markdown-spans.ts'
import { commandLines, isShell } from './commands.ts'

/** Something that a text cites, as it stands there; whether it is there to be found is another question. */
export interface Reference {
  /** A code span, the destination of a link or import, or a line that is to be typed into a shell. */
  readonly kind: 'span' | 'link' | 'import' | 'command'
  /** From 1. */
  readonly line: number
  readonly cited: string
  /** The text before it on its line. */
  readonly before: string
  /** The whole line. */
  readonly around: string
  /** Lines of one code fence have the same: a directory that one enters holds for those after it. */
  readonly fence?: number
}

/** References of one text; what is beyond is not looked at, so that no text makes a check long. */
const MOST_REFERENCES = 5000

const MARKS = /\\[\\`[\]<(!]|`+|\]\(|\[|\]|(?<=[\s(]|^)@(?=[\w.~/\u00aa-\ufffd])/g
const DESTINATION =
  /[ \t]*(?:<([^<>\n]{0,1000})>|((?:[^\s()<>]|\([^\s()<>]{0,200}\)){1,1000}))(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t\n]*\)/y
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/gm
const IMPORT = /(?:\\ |[\w.~/+\u00aa-\ufffd-]){1,500}/y
/** A destination that is elsewhere: with a scheme, or another host. */
const ELSEWHERE = /^(?!mdc:)[a-z][a-z0-9+.-]*:|^\/\//i

/** A mark's place and kind, before its line is known. */
type ReferenceMark = Pick<Reference, 'kind' | 'cited' | 'fence'> & { readonly offset: number }

/**
 * The citations of a Markdown text, in order: code spans, destinations of links inside the tree, `@path` imports, and lines of
 * shell in code fences. Nothing in front matter, HTML comments and other code is cited.
 */
export function referencesIn(text: string): readonly Reference[] {
  const found: ReferenceMark[] = []
  for (const { kind, start, end, language } of markdownSpans(text)) {
    if (found.length >= MOST_REFERENCES) break
    if (kind !== 'code') inline(text, { start, end }, found)
    else if (isShell(language)) commands(text, { start, end, language }, found)
  }
  const starts = lineStarts(text)
  return found.slice(0, MOST_REFERENCES).map((reference) => locateMark(text, starts, reference))
}

function locateMark(text: string, starts: readonly number[], { offset, ...found }: ReferenceMark): Reference {
  const index = lineAt(starts, offset)
  const start = starts[index] ?? 0
  const around = text.slice(start, starts[index + 1] ?? text.length)
  return { ...found, line: index + 1, before: text.slice(start, offset), around }
}

interface Range {
  readonly start: number
  readonly end: number
}

function commands(text: string, { start, end, language }: Range & { language: string }, found: ReferenceMark[]): void {
  for (const { offset, command } of commandLines(text.slice(start, end), language)) {
    found.push({ kind: 'command', cited: command, offset: start + offset, fence: start })
  }
}

function inline(text: string, { start, end }: Range, found: ReferenceMark[]): void {
  const stretch = text.slice(start, end)
  if (stretch.includes(']:')) definitions(stretch, start, found)
  new InlineScan(stretch, start, found).run()
}

function definitions(stretch: string, start: number, found: ReferenceMark[]): void {
  for (const { 1: angled, 2: plain, index } of stretch.matchAll(DEFINITION)) {
    const cited = angled ?? plain ?? ''
    if (!ELSEWHERE.test(cited)) found.push({ kind: 'link', cited, offset: start + index })
  }
}

class InlineScan {
  readonly #text: string
  readonly #start: number
  readonly #found: ReferenceMark[]
  readonly #marks = new RegExp(MARKS)
  /** For each bracket that is open, how much was found before it. */
  readonly #brackets: number[] = []

  constructor(text: string, start: number, found: ReferenceMark[]) {
    this.#text = text
    this.#start = start
    this.#found = found
  }

  run(): void {
    for (let mark = this.#marks.exec(this.#text); mark; mark = this.#marks.exec(this.#text)) {
      if (this.#found.length >= MOST_REFERENCES) return
      this.#at(mark[0], mark.index)
    }
  }

  #at(mark: string, index: number): void {
    if (mark.startsWith('`')) this.#span(mark)
    else if (mark === '[') this.#brackets.push(this.#found.length)
    else if (mark === ']') this.#brackets.pop()
    else if (mark === '](') this.#link()
    else if (mark === '@') this.#import(index)
  }

  #add(kind: Reference['kind'], cited: string, offset: number): void {
    this.#found.push({ kind, cited, offset: this.#start + offset })
  }

  #span(mark: string): void {
    const from = this.#marks.lastIndex
    const close = closeSpan(this.#text, from, { mark, to: this.#text.length })
    if (!close) return
    const cited = this.#text
      .slice(from, close.end)
      .replace(/[\r\n]+/g, ' ')
      .trim()
    if (cited !== '') this.#add('span', cited, from)
    this.#marks.lastIndex = close.after
  }

  /** The text of a link that leads elsewhere is about that place, and cites nothing here. */
  #link(): void {
    const before = this.#brackets.pop()
    DESTINATION.lastIndex = this.#marks.lastIndex
    const found = DESTINATION.exec(this.#text)
    if (!found) return
    const cited = found[1] ?? found[2] ?? ''
    if (!ELSEWHERE.test(cited)) this.#add('link', cited, this.#marks.lastIndex)
    else if (before !== undefined) this.#found.length = before
    this.#marks.lastIndex = DESTINATION.lastIndex
  }

  #import(index: number): void {
    IMPORT.lastIndex = index + 1
    const cited = IMPORT.exec(this.#text)?.[0]
    if (cited) this.#add('import', cited.replaceAll('\\ ', ' ').replace(/(?<!\.)\.+$/, ''), index + 1)
  }
}
