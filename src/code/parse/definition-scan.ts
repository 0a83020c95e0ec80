/** Finds the definitions of a file by indentation, brackets and the first words of lines, without a parser. */

import { withoutFences } from '../../text/fences.ts'
import type { Grammar } from '../languages.ts'
import { definitionOn, dropTemplate, isContainer, type NamedDefinition } from './definition-patterns.ts'

/** A definition with its lines. */
export interface Definition extends NamedDefinition {
  /** The line with its name, from 0. */
  readonly line: number
  /** The first line, including comments and annotations before the definition, from 0. */
  readonly start: number
  /** The line after the last line. */
  readonly end: number
  /** The index of the enclosing definition; -1 without one. */
  readonly parent: number
}

export type { DefinitionKind } from './pattern-table.ts'

/**
 * Finds the definitions in the lines of a file, in order, but not the definitions inside functions. The time is
 * proportional to the number of lines.
 */
export function findDefinitions(lines: readonly string[], grammar: Grammar): Definition[] {
  if (grammar === 'none') return []
  return grammar === 'markdown' ? findSections(lines) : new DefinitionScan(lines, grammar).run()
}

/** The sections of Markdown: each heading, with the lines up to the next heading. */
function findSections(lines: readonly string[]): Definition[] {
  const headings = withoutFences(lines.join('\n'))
    .split('\n')
    .flatMap((text, line) => {
      const name = /^#{1,6} +(.{1,200})/.exec(text)?.[1]?.trim()
      return name === undefined ? [] : [{ name, line }]
    })
  return headings.map(({ name, line }, index) => {
    return { name, kind: 'section', line, start: line, end: headings[index + 1]?.line ?? lines.length, parent: -1 }
  })
}

interface OpenDefinition extends NamedDefinition {
  readonly index: number
  readonly indent: number
  /** Whether the definition has a body that ends with a bracket or a keyword on its own line. */
  isOpened: boolean
}

type MutableDefinition = { -readonly [Field in keyof Definition]: Definition[Field] }

/** Whether an open definition contains a line (`stays`), ends before the line, or ends with the line. */
type DefinitionEnding = 'stays' | 'ends-before' | 'ends-with'

/** Quotes that begin and end a string of several lines. */
const QUOTES: Readonly<Partial<Record<Grammar, RegExp>>> = {
  python: /"""|'''/g,
  java: /"""/g,
  csharp: /"""/g,
  kotlin: /"""/g,
  scala: /"""/g,
  swift: /"""/g,
  sql: /\$\w*\$/g,
}
const HEREDOC = /(?<!<)<<-?\s*['"\\]?([A-Za-z_]\w*)/
/** Lines that belong to the definition after them. */
const LEADING_LINE = /^(?:\/\/|\/\*|\*(?![\w#[$])|@|#\[|#!\[|--|<!--|\[[A-Z]\w*)/
/** Lines with only a type: in C, the type of a function may have its own line. */
const TYPE_LINE = /^[A-Za-z_]\w*(?:[\s*]+[A-Za-z_]\w*){0,5}[\s*]*$/
const SQL_STATEMENT = /^(?:create|alter|drop|insert|grant|revoke|comment|select|update|delete|with|set)\b/i
const HASH_COMMENT_GRAMMARS: ReadonlySet<Grammar> = new Set(['php', 'python', 'ruby', 'sh', 'other'])
const CLOSER = /^(?:[}\])]|end\b|<\/script)/
/** Lines that end with an opening bracket, an arrow or `do`. */
const OPENER = /[{([]$|=>$|\bdo(?: *\|[^|]*\|)?$/
/** Lines that continue the head of a definition. */
const CONTINUATION = /^(?:where\b|throws\b|extends\b|implements\b|with\b|[:?=|&.{]|->)/
/** Lines that have the indentation of a definition, but belong to its body. */
const RUBY_MIDDLE = /^(?:rescue|ensure|else|elsif|when|in|=begin|=end)\b/
const C_MIDDLE = /^(?:#|\w+ *:$|(?:public|private|protected|signals|public slots|private slots)\b.*:$)/

class DefinitionScan {
  readonly #lines: readonly string[]
  readonly #grammar: Grammar
  readonly #definitions: MutableDefinition[] = []
  readonly #openDefinitions: OpenDefinition[] = []
  /** The first line of the comments directly before the current line; -1 for none. */
  #lead = -1
  #leadIndent = 0
  #isInComment = false
  /** The quotes or the word that will end the string around the current line; `''` outside of a string. */
  #quotes = ''

  constructor(lines: readonly string[], grammar: Grammar) {
    this.#lines = lines
    this.#grammar = grammar
  }

  run(): Definition[] {
    for (const [at, line] of this.#lines.entries()) this.#readLine(at, line)
    for (const { index } of this.#openDefinitions) this.#endDefinition(index, this.#lines.length)
    return this.#definitions
  }

  #readLine(at: number, line: string): void {
    const text = line.trim()
    const indent = indentOf(line)
    const isQuoted = this.#isInText(text)
    if (text === '' && !this.#isInComment) this.#lead = -1
    if (text === '' || isQuoted) return
    if (this.#isComment(text)) this.#startLead(at, indent)
    else if (this.#lead < 0 || !this.#continuesLead(text, indent)) {
      if (!this.#closeEnded(at, text, indent)) this.#addDefinition(at, text, indent)
      this.#lead = -1
    }
  }

  /** Whether the line starts within a string of several lines. */
  #isInText(text: string): boolean {
    if (this.#grammar === 'sh') return this.#isInHeredoc(text)
    const marks = QUOTES[this.#grammar]
    if (!marks) return false
    const quotesBefore = this.#quotes
    for (const [mark] of text.matchAll(marks)) {
      if (this.#quotes === '') this.#quotes = mark
      else if (this.#quotes === mark) this.#quotes = ''
    }
    return quotesBefore !== ''
  }

  #isInHeredoc(text: string): boolean {
    const quotesBefore = this.#quotes
    if (quotesBefore === '') this.#quotes = HEREDOC.exec(text)?.[1] ?? ''
    else if (text === quotesBefore) this.#quotes = ''
    return quotesBefore !== ''
  }

  #isComment(text: string): boolean {
    if (this.#isInComment) {
      if (text.includes('*/')) this.#isInComment = false
      return true
    }
    if (text.startsWith('/*') && !text.includes('*/')) this.#isInComment = true
    if (text.startsWith('#') && !text.startsWith('#[')) return HASH_COMMENT_GRAMMARS.has(this.#grammar)
    if (this.#grammar === 'c' && text.startsWith('template')) return dropTemplate(text) === ''
    if (text.startsWith('@'))
      return !/^@(?:interface|implementation|protocol|end)\b/.test(text) && isAnnotationLine(text)
    if (this.#grammar === 'c' && TYPE_LINE.test(text)) return !definitionOn(text, 'c', { indent: 0, parent: undefined })
    return LEADING_LINE.test(text) && (!text.startsWith('[') || (this.#grammar === 'csharp' && text.endsWith(']')))
  }

  #startLead(at: number, indent: number): void {
    if (this.#lead >= 0 && indent >= this.#leadIndent) return
    this.#lead = at
    this.#leadIndent = indent
  }

  /** Whether a line continues the arguments of the annotation before it. */
  #continuesLead(text: string, indent: number): boolean {
    const before = (this.#lines[this.#lead] ?? '').trim()
    const isAnnotation = /^[@#[]/.test(before) && /[([{,]$/.test(before)
    return isAnnotation && (indent > this.#leadIndent || /^[)\]}]/.test(text))
  }

  /** Closes the definitions that end before or with a line. Returns whether a definition with the same or more indentation contains the line. */
  #closeEnded(at: number, text: string, indent: number): boolean {
    for (let last = this.#openDefinitions.at(-1); last && indent <= last.indent; last = this.#openDefinitions.at(-1)) {
      const ending = this.#endingOf(last, text, indent)
      if (ending === 'stays') return true
      this.#openDefinitions.pop()
      const isLead = this.#lead >= 0 && this.#leadIndent <= last.indent
      this.#endDefinition(last.index, ending === 'ends-with' ? at + 1 : isLead ? this.#lead : at)
      if (last.name === '' && this.#grammar === 'c') this.#nameAfterBody(last.index, text)
      if (ending === 'ends-with') return true
    }
    return false
  }

  #endingOf(open: OpenDefinition, text: string, indent: number): DefinitionEnding {
    const grammar = this.#grammar
    if (indent === open.indent && CLOSER.test(text)) {
      if (grammar === 'python') return 'stays'
      if (!OPENER.test(text) || /^\} *while\b/.test(text)) return 'ends-with'
      if (text.endsWith('{')) open.isOpened = true
      return 'stays'
    }
    if (grammar === 'python') return 'ends-before'
    if (grammar === 'sql') return SQL_STATEMENT.test(text) ? 'ends-before' : 'stays'
    if (indent === open.indent && text.startsWith('{')) {
      open.isOpened = !text.endsWith('}')
      return text.endsWith('}') ? 'ends-with' : 'stays'
    }
    if (grammar === 'ruby' && open.isOpened && RUBY_MIDDLE.test(text)) return 'stays'
    if (grammar === 'c' && open.isOpened && C_MIDDLE.test(text)) return 'stays'
    if (!open.isOpened) return indent === open.indent && CONTINUATION.test(text) ? 'stays' : 'ends-before'
    // A line that is not indented further and starts no definition is part of the body, such as text in a string.
    return definitionOn(text, grammar, { indent, parent: this.#openDefinitions.at(-2) }) ? 'ends-before' : 'stays'
  }

  #addDefinition(at: number, text: string, indent: number): void {
    const parent = this.#openDefinitions.at(-1)
    if (parent && !isContainer(parent.kind)) return
    const defined = definitionOn(text, this.#grammar, { indent, parent })
    if (!defined) return
    const start = this.#lead >= 0 && this.#leadIndent >= indent ? this.#lead : at
    const index = this.#definitions.push({ ...defined, line: at, start, end: at + 1, parent: parent?.index ?? -1 }) - 1
    this.#openDefinitions.push({ ...defined, index, indent, isOpened: opensBody(text, this.#grammar) })
  }

  /** Ends a definition before the blank lines that precede `end`. */
  #endDefinition(index: number, end: number): void {
    const definition = this.#definitions[index]
    if (!definition) return
    definition.end = Math.max(definition.line + 1, end)
    while (definition.end > definition.line + 1 && this.#lines[definition.end - 1]?.trim() === '') definition.end--
  }

  /** Names a definition of C whose name is after its body: `typedef struct { … } name;`. */
  #nameAfterBody(index: number, text: string): void {
    const definition = this.#definitions[index]
    const name = /^\} *(\w+)/.exec(text)?.[1]
    if (definition && name !== undefined) definition.name = name
  }
}

/** Whether a line is an annotation without its definition. */
function isAnnotationLine(text: string): boolean {
  return !/^@[\w.]+(?:\([^()]*\))? +\S/.test(text) || /^@[\w.]+(?:\([^()]*\))? *(?:\/\/|#)/.test(text)
}

function opensBody(text: string, grammar: Grammar): boolean {
  if (grammar === 'ruby') return !/\bend$|;|^def +[\w.?!]+(?:\([^)]*\))? += |^\w+ *=/.test(text)
  return text.split('{').length > text.split('}').length
}

/** Columns of white space before a line. A tab counts as four. */
function indentOf(line: string): number {
  let [columns, at] = [0, 0]
  for (let code = line.charCodeAt(0); code === 0x20 || code === 0x09; code = line.charCodeAt(++at))
    columns += code === 0x09 ? 4 : 1
  return columns
}
