import { lineAt, lineStarts } from '../../text/lines.ts'
import { closeSpan, markdownSpans } from '../../text/markdown-spans.ts'
import { commandLines, isShellLanguage } from './commands.ts'

/** A citation as written, whether its target exists or not. */
export interface Reference {
  /** `span`: a code span. `link`, `import`: the destination of a link or import. `command`: a line for a shell. */
  readonly kind: 'span' | 'link' | 'import' | 'command'
  /** The number of the line, from 1. */
  readonly line: number
  readonly cited: string
  /** The text before the citation in its paragraph, at most `MAX_BEFORE` characters. */
  readonly before: string
  /** The whole line of the citation. */
  readonly wholeLine: string
  /** The offset of the code fence around the citation. A `cd` applies to the later lines of the same fence. */
  readonly fence?: number
}

/** Maximum references of a text, so that no text makes a check long. */
const MAX_REFERENCES = 5000

/** Maximum characters of `Reference.before`. */
const MAX_BEFORE = 500

const DELIMITERS = /\\[\\`[\]<(!]|`+|\]\(|\[|\]|(?<=[\s(]|^)@(?=[\w.~/\u00aa-\ufffd])/g
const DESTINATION =
  /[ \t]*(?:<([^<>\n]{0,1000})>|((?:[^\s()<>]|\([^\s()<>]{0,200}\)){1,1000}))(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t\n]*\)/y
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*(?:<([^<>\n]{1,1000})>|(\S{1,1000}))/gm
const IMPORT = /(?:\\ |[\w.~/+\u00aa-\ufffd-]){1,500}/y
/** An external destination, with a scheme or a host. */
const EXTERNAL = /^(?:mdc:(?=[a-z]+:\/))?(?!mdc:)[a-z][a-z0-9+.-]*:|^\/\//i

/** A reference without its line. `offset`: the position of the citation in the text. */
type PendingReference = Pick<Reference, 'kind' | 'cited' | 'fence'> & { readonly offset: number }

/**
 * The citations of a Markdown text, in order: code spans, destinations of links inside the tree, `@path` imports, and lines of
 * shell in code fences. Front matter, HTML comments and other code are skipped.
 */
export function referencesIn(text: string): readonly Reference[] {
  const pending: PendingReference[] = []
  for (const { kind, start, end, language } of markdownSpans(text)) {
    if (pending.length >= MAX_REFERENCES) break
    const span = text.slice(start, end)
    if (kind !== 'code') readInline(span, start, pending)
    else if (isShellLanguage(language))
      for (const { offset, command } of commandLines(span, language))
        pending.push({ kind: 'command', cited: command, offset: start + offset, fence: start })
  }
  const starts = lineStarts(text)
  return pending.slice(0, MAX_REFERENCES).map(({ offset, ...reference }) => {
    const index = lineAt(starts, offset)
    const start = starts[index] ?? 0
    const wholeLine = text.slice(start, starts[index + 1] ?? text.length)
    return { ...reference, line: index + 1, before: textBefore(text, offset), wholeLine }
  })
}

/** Whether a line begins with the citation, after marks of a list, table, heading or emphasis. Such a line is about the citation. */
export function isSubject({ before }: Reference): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return /^[ \t>]*(?:(?:[-*+|]|#{1,6}|\d{1,9}[.)])[ \t]*)?[[*_`]*$/.test(line)
}

function textBefore(text: string, offset: number): string {
  const preceding = text.slice(Math.max(0, offset - MAX_BEFORE), offset)
  return preceding.slice(preceding.lastIndexOf('\n\n') + 1).trimStart()
}

/** Adds the citations of prose. `start`: the position of the prose in the whole text. */
function readInline(text: string, start: number, references: PendingReference[]): void {
  const add = (kind: Reference['kind'], cited: string, at: number) =>
    references.push({ kind, cited, offset: start + at })
  for (const { 1: angled, 2: plain, index } of text.includes(']:') ? text.matchAll(DEFINITION) : []) {
    const cited = angled ?? plain ?? ''
    if (!EXTERNAL.test(cited)) add('link', cited, index)
  }
  const delimiters = new RegExp(DELIMITERS)
  /** For each open bracket, the number of references before the bracket. */
  const brackets: number[] = []
  for (let match = delimiters.exec(text); match && references.length < MAX_REFERENCES; match = delimiters.exec(text)) {
    const [delimiter] = match
    const from = delimiters.lastIndex
    if (delimiter === '[') brackets.push(references.length)
    else if (delimiter === ']') brackets.pop()
    else if (delimiter === '](') {
      const referenceCount = brackets.pop()
      DESTINATION.lastIndex = from
      const [, angled, plain] = DESTINATION.exec(text) ?? []
      const cited = angled ?? plain
      if (cited === undefined) continue
      // Code spans in the text of an external link are about the linked site, and cite nothing in this tree.
      if (!EXTERNAL.test(cited)) add('link', cited, from)
      else if (referenceCount !== undefined) references.length = referenceCount
      delimiters.lastIndex = DESTINATION.lastIndex
    } else if (delimiter === '@') {
      IMPORT.lastIndex = from
      const [cited = ''] = IMPORT.exec(text) ?? []
      add('import', cited.replaceAll('\\ ', ' ').replace(/(?<!\.)\.+$/, ''), from)
    } else if (delimiter.startsWith('`')) {
      const close = closeSpan(text, from, { mark: delimiter, to: text.length })
      if (!close) continue
      const code = text.slice(from, close.end)
      const cited = code.replace(/[\r\n]+/g, ' ').trim()
      if (cited !== '') add('span', cited, from)
      delimiters.lastIndex = close.after
    }
  }
}
