import { lineAt, lineStarts } from './lines.ts'
import { replaceRanges } from './replace-ranges.ts'
import { trimEnd } from './trim.ts'

/** The quotes and list items around a fence: the number of quotes, and the columns where texts of list items start. */
interface Container {
  readonly quotes: number
  readonly indents: readonly number[]
}

const DOCUMENT: Container = { quotes: 0, indents: [] }

/** Markers after this number of characters count as text. */
const LONGEST_LINE = 1000
const MARKERS = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(.*)/s
const OPENING = /^(?:(`{3,})[^`]*$|(~{3,}|<!--))/
const COMMENT = '<!--'
/** Matches the start of a line of plain text: in no container, and without the start of a fence or comment. */
const PLAIN_LINE = /(?![-*+][ \t]|\d{1,9}[.)][ \t]|```|~~~|<!--)[^ \t>\r\n]/y

/** The text; if it ends inside a fenced code block (also in a list or quote), with a line that closes it. */
export function closeFence(text: string): string {
  const open = fencesIn(text).at(-1)?.open
  return open ? `${text}${/[\r\n]$/.test(text) ? '' : '\n'}${open.prefix}${open.marker}` : text
}

/** The text with empty lines instead of fenced code blocks and their fences. Its line ends become `\n`. */
export function withoutFences(text: string): string {
  const unified = text.replace(/\r\n?/g, '\n')
  const blanks = (code: string) => code.replace(/[^\n]+/g, '')
  const ranges = fencesIn(unified).map(({ start, end }) => ({ start, end, by: blanks(unified.slice(start, end)) }))
  return replaceRanges(unified, ranges)
}

/** A fenced code block, with whole lines; offsets in UTF-16 units. `open`: its opening, if nothing closes the block. */
type Fence = { readonly start: number; readonly end: number; readonly open: ReturnType<typeof openingOf> }

/**
 * The fenced code blocks of a text, in order. Scans lines by CommonMark's rules for fences and comments, and ignores
 * other HTML blocks. Reads only the lines that may open a fence or a comment, and the lists and quotes around them.
 */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  if (!text.includes('```') && !text.includes('~~~')) return fences
  const starts = lineStarts(text)
  const lineOf = (line: number) => trimEnd(text.slice(starts[line], starts[line + 1]), '\r\n')
  const isPlain = (line: number) => {
    PLAIN_LINE.lastIndex = starts[line] ?? 0
    return PLAIN_LINE.test(text)
  }
  let container = DOCUMENT
  let line = 0
  for (const { index } of text.matchAll(/```|~~~|<!--/g)) {
    const first = lineAt(starts, index)
    if (first < line) continue
    let from = first
    while (from > line && !isPlain(from - 1)) from--
    if (from > line) container = DOCUMENT
    for (; from < first; from++) container = containerOf(readLine(lineOf(from)), container)
    const raw = lineOf(first)
    const parts = readLine(raw)
    container = containerOf(parts, container)
    const opening = openingOf(parts, container)
    let open = opening?.marker === COMMENT && isClosing(raw, COMMENT) ? undefined : opening
    line = first + 1
    while (open && line < starts.length) {
      const inner = lineInContainer(lineOf(line), container)
      if (inner !== undefined) line++
      if (inner === undefined || isClosing(inner, open.marker)) open = undefined
    }
    if (opening && opening.marker !== COMMENT)
      fences.push({ start: starts[first] ?? 0, end: starts[line] ?? text.length, open })
  }
  return fences
}

/** The text in a fence with more backticks than any run in the text, so that nothing closes the fence. `info`: the words after the opening marks. */
export function fenceText(text: string, info = ''): string {
  const fence = '`'.repeat([...text.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2) + 1)
  return `${fence}${info}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

type Line = ReturnType<typeof readLine>

/**
 * Splits a line. `quotes`: the number of its quote markers; `lead`: from the last quote marker to the text; `prefix`:
 * the line before the text, with blanks instead of list markers; `text`: the line after its markers.
 */
function readLine(raw: string) {
  const [, markers = '', text = ''] = MARKERS.exec(raw.slice(0, LONGEST_LINE)) ?? []
  const after = markers.lastIndexOf('>') + 1
  const lead = markers.slice(markers[after] === ' ' && after > 0 ? after + 1 : after)
  return { quotes: markers.split('>').length - 1, lead, prefix: markers.replace(/[^\s>]/g, ' '), text }
}

/** The container after this line: the list items of the line, or the earlier list items that the line continues. */
function containerOf(line: Line, before: Container): Container {
  if (line.text === '' && line.quotes === before.quotes) return before
  const indents = line.quotes === before.quotes ? before.indents : []
  const column = line.lead.search(/\S|$/)
  const outerIndents = indents.filter((indent) => indent <= column)
  const ownIndents = column < line.lead.length ? [line.lead.length] : []
  return { quotes: line.quotes, indents: [...outerIndents, ...ownIndents] }
}

/** How a line opens a fence or comment. `marker`: its opening marks; `prefix`: the text before the closing marks. */
function openingOf(line: Line, container: Container) {
  const opening = OPENING.exec(line.text)
  const marker = opening?.[1] ?? opening?.[2]
  if (!marker || isIndentedCode(line, container)) return undefined
  return { marker, prefix: line.prefix }
}

function isIndentedCode({ lead }: Line, { indents }: Container): boolean {
  return lead.length - (indents.at(-1) ?? 0) > 3
}

/** The line without its container; undefined for a line outside of the container. */
function lineInContainer(raw: string, { quotes, indents }: Container): string | undefined {
  let remaining = raw
  for (let quotesLeft = quotes; quotesLeft > 0; quotesLeft--) {
    const marker = /^[ \t]*> ?/.exec(remaining)?.[0]
    if (marker === undefined) return undefined
    remaining = remaining.slice(marker.length)
  }
  const indent = indents.at(-1) ?? 0
  const column = remaining.search(/\S|$/)
  if (column === remaining.length) return ''
  return column < indent ? undefined : remaining.slice(indent)
}

function isClosing(inner: string, marker: string): boolean {
  if (marker === COMMENT) return inner.includes('-->')
  const run = inner.trim()
  return inner.search(/\S|$/) <= 3 && run.length >= marker.length && run === marker.charAt(0).repeat(run.length)
}

/**
 * The sections of a Markdown text, each from a heading (`# …`) to the next; text before the first heading is a section,
 * too. Joined, the sections are the text. A `#` in a fenced code block is not a heading.
 */
export function sectionsOf(text: string): readonly string[] {
  const withoutCode = withoutFences(text).split('\n')
  const starts = lineStarts(text).filter((start, line) => start === 0 || isHeadingLine(withoutCode[line] ?? ''))
  return starts.map((start, at) => text.slice(start, starts[at + 1]))
}

/** Whether a line looks like a heading. May be true for a line of code. */
export function isHeadingLine(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)
}
