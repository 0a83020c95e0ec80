/** The container of a fence: the number of quotes, then the columns at which the texts of list items start. */
interface Container {
  readonly quotes: number
  readonly indents: readonly number[]
}

/** Markers after this number of characters count as text. */
const LONGEST_LINE = 1000
const MARKERS = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(.*)/s
const OPENING = /^(?:(`{3,})[^`]*$|(~{3,}))/

/**
 * The text; if it ends inside a fenced code block (also in a list or quote), with a line that closes it. Scans lines by CommonMark's rules for
 * fences and comments, and ignores other HTML blocks.
 */
export function closeFence(text: string): string {
  let open: ReturnType<typeof fenceOf>
  for (const line of fencedLines(text)) open = line.open
  return open ? `${text}${/[\r\n]$/.test(text) ? '' : '\n'}${open.prefix}${open.marker}` : text
}

/** The text with empty lines instead of fenced code blocks and their fences. */
export function withoutFences(text: string): string {
  const lines = [...fencedLines(text)]
  return lines.length === 0 ? text : lines.map(({ raw, isCode }) => (isCode ? '' : raw)).join('\n')
}

/** Each line of a text that has fences, with the fence that is open after it. `isCode`: whether the line is code or a fence. */
export function* fencedLines(text: string) {
  if (!text.includes('```') && !text.includes('~~~')) return
  let open: ReturnType<typeof fenceOf>
  let container: Container = { quotes: 0, indents: [] }
  /** The container of the open comment. */
  let comment: Container | undefined
  for (const raw of text.split(/\r\n?|\n/)) {
    const innerLine = open && lineInContainer(raw, open.container)
    if (open && innerLine !== undefined) {
      if (isClosing(innerLine, open.marker)) open = undefined
      yield { raw, open, isCode: true }
      continue
    }
    open = undefined
    if (!comment || lineInContainer(raw, comment) === undefined) {
      const line = readLine(raw)
      container = containerOf(line, container)
      open = fenceOf(line, container)
      comment = line.text.startsWith('<!--') && !isIndentedCode(line, container) ? container : undefined
    }
    if (raw.includes('-->')) comment = undefined
    yield { raw, open, isCode: open !== undefined }
  }
}

/** The text in a fence of more backticks than it has in a row, so that nothing in it closes the fence. `info`: the words after the opening marks. */
export function fencedText(text: string, info = ''): string {
  const fence = '`'.repeat([...text.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2) + 1)
  return `${fence}${info}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

type Line = ReturnType<typeof readLine>

/**
 * The parts of a line: the number of its quote markers; `lead`, from the last quote marker to the text; `prefix`, the start of the line with blanks
 * instead of list markers; the text.
 */
function readLine(raw: string) {
  const [, markers = '', text = ''] = MARKERS.exec(raw.slice(0, LONGEST_LINE)) ?? []
  const after = markers.lastIndexOf('>') + 1
  const lead = markers.slice(markers[after] === ' ' && after > 0 ? after + 1 : after)
  const prefix = markers.replace(/[^\s>]/g, ' ')
  return { quotes: markers.split('>').length - 1, lead, prefix, text }
}

/** The container after this line: its own list items, or the earlier ones that it continues. */
function containerOf(line: Line, before: Container): Container {
  if (line.text === '') return before
  const indents = line.quotes === before.quotes ? before.indents : []
  const column = line.lead.search(/\S|$/)
  const outerIndents = indents.filter((indent) => indent <= column)
  const ownIndents = column < line.lead.length ? [line.lead.length] : []
  return { quotes: line.quotes, indents: [...outerIndents, ...ownIndents] }
}

/** The fence that a line opens. `marker`: its backticks or tildes; `prefix`: the text before them on the closing line. */
function fenceOf(line: Line, container: Container) {
  const opening = OPENING.exec(line.text)
  const marker = opening?.[1] ?? opening?.[2]
  if (!marker || isIndentedCode(line, container)) return undefined
  return { container, marker, prefix: line.prefix }
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
  const run = inner.trim()
  return inner.search(/\S|$/) <= 3 && run.length >= marker.length && run === marker.charAt(0).repeat(run.length)
}

/**
 * The parts of a Markdown text from heading (`# …`) to heading; the first part is the text before them. Joined, they are the text. A `#` in a fenced
 * code block is not a heading.
 */
export function sectionsOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const withoutCode = withoutFences(text).split(/\r\n?|\n/)
  const sections: string[] = []
  let section = ''
  for (const [index, line] of lines.entries()) {
    if (isHeadingLine(withoutCode[index] ?? '') && section !== '') {
      sections.push(section)
      section = ''
    }
    section += line
  }
  return [...sections, section]
}

/** Whether a line looks like a heading. Only its context could exclude a line of code. */
export function isHeadingLine(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)
}
