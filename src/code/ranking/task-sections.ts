/** The lines of a task, and how much each says of what is wanted: templates, environments and logs say little. */

export interface TaskLine {
  readonly text: string
  /** 0 to 1. */
  readonly weight: number
  readonly isTitle: boolean
  /** It tells an error. */
  readonly isError: boolean
}

const ENVIRONMENT =
  /\b(?:environment|versions?|system|platform|setup|logs?|log output|stack ?trace|debug(?:ging)? (?:info|output)|configuration|checklist|additional context|additional info|screenshots?|browsers?|dependencies|package manager|operating system|os|node|runtime|doctor|info|self[- ]service|before submitting|prerequisites?|validations?|acknowledg\w*|test plan|related issues?)\b/i
const REPRODUCTION =
  /\b(?:reproduc\w*|steps?|to reproduce|minimal|example|playground|how to|sandbox|code sample|test case|demo|link to)\b/i
/** Words that templates put before what a person writes: they are said of every task. */
const TEMPLATE =
  /^(?:describe the (?:bug|issue|problem|feature)|bug(?: report| description)?|what (?:happened|went wrong|is the (?:current|expected) behaviou?r|version .*|did you (?:do|expect).*|actually happened|do you expect.*)|expected(?: behaviou?r| result| output)?|actual(?: behaviou?r| result| output)?|current behaviou?r|steps to reproduce.*|reproduction.*|to reproduce|description|summary|problem|motivation|context|additional (?:context|information).*|environment.*|versions?|system info|is your feature request.*|feature request|describe (?:the solution|alternatives).*|proposal|possible solution|checklist|first check|checks|code of conduct|example code|logs?|relevant log output|issue|details|screenshots?|any other comments\??|your environment|minimal .*example|motivations?|what changed|changes|test plan|type of change)\W*$/i
const ERROR =
  /\b(?:\w*(?:Error|Exception|Panic|Failure|Warning)\b|error|exception|panick?(?:ed)?|fatal|failed|traceback|undefined|unexpected|cannot|can't|unable|invalid|assert\w*)\b/i
const ENVIRONMENT_WEIGHT = 0.25
const REPRODUCTION_WEIGHT = 0.6
const FENCE_WEIGHT = 0.5
const LONGEST_TITLE = 240
/** A longer one is not a heading of a template. */
const LONGEST_HEADING = 80

/** Every line that says something; headings of templates and check boxes are left out. */
export function taskLines(text: string): TaskLine[] {
  const lines: TaskLine[] = []
  let section = 1
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
      section = weightOfSection(heading)
      if (TEMPLATE.test(heading.slice(0, LONGEST_HEADING))) continue
    }
    if (/^\s*[-*] \[[ xX]\]/.test(line) || line.trim() === '') continue
    if (/^(?:diff --git |@@ -\d|--- |\+\+\+ )/.test(line)) isDiff = true
    const isError = ERROR.test(line)
    const isTitle = lines.length === 0 && fence === '' && line.length <= LONGEST_TITLE
    const ofFence = fence !== '' && !isError && !(isDiff && /^[-+@]/.test(line)) ? FENCE_WEIGHT : 1
    lines.push({ text: heading ?? line, weight: section * ofFence, isTitle, isError })
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
  if (heading.length > LONGEST_HEADING) return 1
  if (REPRODUCTION.test(heading)) return REPRODUCTION_WEIGHT
  return ENVIRONMENT.test(heading) ? ENVIRONMENT_WEIGHT : 1
}
