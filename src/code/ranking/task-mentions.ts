/** Finds the paths and stack frames in a task. */

/** A line of a stack trace. */
export interface FrameMention {
  /** The path as written, with forward slashes. */
  readonly path: string
  /** From 1; undefined for a trace without line numbers. */
  readonly line: number | undefined
  /** The name of the function; undefined for a trace without names. */
  readonly name: string | undefined
}

const MAX_MENTIONS = 200

/** The task without HTML comments, URLs and lines such as `Signed-off-by`. The URL of a file in a repository becomes the path of the file. */
export function dropNoise(text: string): string {
  return dropComments(text)
    .replace(/https?:\/\/[^\s)>\]"'`]{1,2000}/g, (url) => pathOfUrl(url))
    .replace(/^(?:Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Reported-by|Cc|PiperOrigin-RevId): .*$/gim, '')
}

/** `https://github.com/owner/name/blob/main/src/a.ts#L10` becomes src/a.ts:10. */
function pathOfUrl(url: string): string {
  const match = /\/(?:blob|tree|raw|src)\/[^/\s]+\/([\w@./+-]+\.\w+)(?:#L(\d+))?/.exec(url)
  return match ? `${match[1]}${match[2] === undefined ? '' : `:${match[2]}`}` : ' '
}

function dropComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start)
    // An unclosed comment stays.
    if (end < 0) break
    parts.push(text.slice(at, start))
    at = end + 3
  }
  return parts.join(' ') + text.slice(at)
}

const PATH = /(?:[A-Za-z]:)?(?:[\w@.+-]{1,100}[\\/]){0,20}[\w@.+-]{1,100}\.[A-Za-z][A-Za-z\d+]{0,9}\b/g

/** Distinct words that look like the path of a file. */
export function pathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(PATH)].map(([path]) => normalisePath(path)))].slice(0, MAX_MENTIONS)
}

function normalisePath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:[A-Za-z]:|\.{1,2})?\/+/, '')
}

/**
 * Lines of stack traces: Python, Java, .NET, JavaScript, Rust, PHP, minidumps, Ruby and Go; then anything like `src/a.c:10` or
 * `src/a.c(10)`.
 */
const FRAMES: readonly RegExp[] = [
  /^\s*File "(?<path>[^"]{1,400})", line (?<line>\d+)(?:, in (?<name>[\w<>]+))?/,
  /^\s*at (?<qualified>[\w.$]{1,300})\.(?<name>[\w$<>]+)\((?<path>[\w$]+\.\w+):(?<line>\d+)\)/,
  /^\s*at [\w.`<>+[\],]{1,300}\.(?<name>\w+)(?:`\d+)?(?:\[[^\]]{1,200}\])?\([^)]{0,400}\) in (?<path>[^:]{0,3}:?[^:]{1,400}):line (?<line>\d+)/,
  /^\s*at (?<type>[A-Z]\w*(?:\.[A-Z]\w*){1,20})\.(?<name>[A-Z]\w*)\((?:[^):]{0,400})\)\s*$/,
  /^\s*at (?:(?:async |new )?(?<name>[\w.$<>[\] ]{1,200}?) \()?(?:file:\/\/)?(?<path>[\w@./\\:+-]{1,400}?\.\w+):(?<line>\d+):\d+\)?/,
  /^\s*(?:-->|at|thread .* panicked at) '?(?<path>[\w@./\\+-]{1,400}\.\w+):(?<line>\d+)/,
  /^\s*#\d+ (?<path>[^()]{1,400}\.\w{1,5})\((?<line>\d+)\): (?:[\w\\{}$]{1,200}(?:::|->))?(?<name>\w+)\(/,
  /\[(?<path>[\w@./\\+-]{1,400}\.\w{1,5}) : (?<line>\d+)\b/,
  /(?<path>(?:[\w@.+-]{1,100}[\\/]){0,20}[\w@+-]{1,100}\.rb):(?<line>\d+):in [`'](?:[\w:]{1,200}[#.])?(?<name>\w+[?!=]?)'/,
  /(?<path>(?:[\w@.+-]{1,100}[\\/]){0,20}[\w@+-]{1,100}\.(?:[A-Za-z]{1,5}))(?::(?<line>\d+)\b|\((?<row>\d+)(?:,\d+)?\):)/,
]

/** Matches a log line that is not an error. A file and line in it only name the code that wrote the log. */
const LOG_LINE = /^.{0,80}\b(?:DEBUG|INFO|TRACE)\b/

/** The lines of stack traces in a text, in order. */
export function framesIn(text: string): FrameMention[] {
  const frames: FrameMention[] = []
  for (const line of text.split('\n')) {
    if (frames.length >= MAX_MENTIONS) break
    const clipped = line.slice(0, 600)
    if (LOG_LINE.test(clipped)) continue
    const groups = FRAMES.map((pattern) => pattern.exec(clipped)?.groups).find((match) => match !== undefined)
    if (!groups) continue
    const { path, name, line: lineNumber, row, type = '', qualified } = groups
    // A Java class names its directory. A .NET trace without symbols names only a type, whose file is probably TYPE.cs.
    const folder = qualified === undefined ? '' : `${qualified.split('.').slice(0, -1).join('/')}/`
    frames.push({
      path: normalisePath(path === undefined ? `${type.replaceAll('.', '/')}.cs` : folder + path),
      line: Number(lineNumber ?? row) || undefined,
      name: name?.slice(name.lastIndexOf('.') + 1).replace(/[<>[\] ]/g, '') || undefined,
    })
  }
  return frames
}

export interface TaskLine {
  readonly text: string
  /** How much the words of the line count, 0 to 1. */
  readonly weight: number
  /** Whether the line is the first line of the task, and short. */
  readonly isTitle: boolean
  /** Whether the line describes an error. */
  readonly isError: boolean
}

const ENVIRONMENT =
  /\b(?:environment|versions?|system|platform|setup|logs?|log output|stack ?trace|debug(?:ging)? (?:info|output)|configuration|checklist|additional context|additional info|screenshots?|browsers?|dependencies|package manager|operating system|os|node|runtime|doctor|info|self[- ]service|before submitting|prerequisites?|validations?|acknowledg\w*|test plan|related issues?)\b/i
const REPRODUCTION =
  /\b(?:reproduc\w*|steps?|to reproduce|minimal|example|playground|how to|sandbox|code sample|test case|demo|link to)\b/i
/** Headings of issue templates. Such a heading says nothing about the task, because every issue from the template has it. */
const TEMPLATE =
  /^(?:describe the (?:bug|issue|problem|feature)|bug(?: report| description)?|what (?:happened|went wrong|is the (?:current|expected) behaviou?r|version .*|did you (?:do|expect).*|actually happened|do you expect.*)|expected(?: behaviou?r| result| output)?|actual(?: behaviou?r| result| output)?|current behaviou?r|steps to reproduce.*|reproduction.*|to reproduce|description|summary|problem|motivation|context|additional (?:context|information).*|environment.*|versions?|system info|is your feature request.*|feature request|describe (?:the solution|alternatives).*|proposal|possible solution|checklist|first check|checks|code of conduct|example code|logs?|relevant log output|issue|details|screenshots?|any other comments\??|your environment|minimal .*example|motivations?|what changed|changes|test plan|type of change)\W*$/i
const ERROR =
  /\b(?:\w*(?:Error|Exception|Panic|Failure|Warning)\b|error|exception|panick?(?:ed)?|fatal|failed|traceback|undefined|unexpected|cannot|can't|unable|invalid|assert\w*)\b/i
const ENVIRONMENT_WEIGHT = 0.25
const REPRODUCTION_WEIGHT = 0.6
const FENCE_WEIGHT = 0.5
const MAX_TITLE_LENGTH = 240
/** Maximum characters of a heading of an issue template. */
const MAX_HEADING_LENGTH = 80

/** The lines of a task, without template headings and check boxes. */
export function taskLines(text: string): TaskLine[] {
  const lines: TaskLine[] = []
  let sectionWeight = 1
  let fence = ''
  let isDiff = false
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      continue
    }
    const heading = fence === '' ? headingOf(line) : undefined
    if (heading !== undefined) {
      sectionWeight = weightOfSection(heading)
      if (TEMPLATE.test(heading.slice(0, MAX_HEADING_LENGTH))) continue
    }
    if (/^\s*[-*] \[[ xX]\]/.test(line) || line.trim() === '') continue
    if (/^(?:diff --git |@@ -\d|--- |\+\+\+ )/.test(line)) isDiff = true
    const isError = ERROR.test(line)
    const isTitle = lines.length === 0 && fence === '' && line.length <= MAX_TITLE_LENGTH
    const fenceWeight = fence !== '' && !isError && !(isDiff && /^[-+@]/.test(line)) ? FENCE_WEIGHT : 1
    lines.push({ text: heading ?? line, weight: sectionWeight * fenceWeight, isTitle, isError })
  }
  return lines
}

/** `## Steps`, `**Steps**`, or `Steps:`. */
function headingOf(line: string): string | undefined {
  return (/^#{1,6}\s+(.*)/s.exec(line) ??
    /^\*\*([^*]{2,80})\*\*:?\s*$/.exec(line) ??
    /^([A-Z][\w ]{2,40}):\s*$/.exec(line))?.[1]
}

function weightOfSection(heading: string): number {
  if (heading.length > MAX_HEADING_LENGTH) return 1
  if (REPRODUCTION.test(heading)) return REPRODUCTION_WEIGHT
  return ENVIRONMENT.test(heading) ? ENVIRONMENT_WEIGHT : 1
}
