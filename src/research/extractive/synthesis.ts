import { escapedInLine } from '../../text/code.ts'
import { plainLine } from '../report/plain.ts'
import { fillWords, type ReportWords, reportWords } from '../report/report-words.ts'
import type { EvidenceItem, EvidenceKind, PartEvidence } from '../run/evidence.ts'
import type { Branch, ReportTask, SynthesisTask } from '../run/stages.ts'
import { beyond, isByHeading } from './decompose.ts'

/** Findings of a node from its files, and from each of the other places. */
const OF_FILES = 8
const OF_OTHERS = 4

/** What answers the parts of a question, in the words of the sources: of each part in turn the best. */
export function synthesisOf({ parts }: Pick<SynthesisTask, 'parts'>): EvidenceItem[] {
  const counts = new Map<EvidenceKind, number>()
  return inTurn(parts.filter(({ answered }) => answered !== 'no')).filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= (kind === 'context' ? OF_FILES : OF_OTHERS) * Math.max(1, parts.length)
  })
}

function inTurn(parts: readonly PartEvidence[]): EvidenceItem[] {
  const rounds = Math.max(0, ...parts.map(({ findings }) => findings.length))
  const all = Array.from({ length: rounds }, (_, round) => parts.flatMap(({ findings }) => findings[round] ?? []))
  return uniqueFindings(all.flat(), { ofKind: true })
}

/** Findings that begin the report, of a question of one part, and of each part; and those of all branches together. */
const FIRST = 8
const FIRST_OF_PART = 3
const ALL = 120

/** Passages that are shown though they answer nothing. */
const NEAREST = 3

/** The body of a report: sentences of the sources, shown as they are, each with what it is cited by. */
export function reportBody({ task, language, branches }: ReportTask): string {
  const words = reportWords(task, language)
  const share = Math.max(2, Math.floor(ALL / Math.max(1, branches.length)))
  const [first, ...others] = branches
  const rest = others.filter(({ findings, is_added }) => findings.length > 0 || is_added)
  const most = Math.max(FIRST, FIRST_OF_PART * (first?.parts.length ?? 1))
  const found = first?.findings.length ? first.findings : rest.flatMap(({ findings }) => findings.slice(0, 2))
  const answer = uniqueFindings(found).slice(0, most)
  const told = new Set(answer.map(({ text }) => text))
  /** What the sections before one told: a section of the files adds to that. */
  const seen = new Set<string>()
  const sections = rest.map((branch) => {
    const isAlone = rest.length === 1 && !branch.is_added
    const above = aboveOf(branch, branches)
    const isOfHeading = above !== undefined && isByHeading(branch.question, above.question)
    const before = isOfHeading ? [...told, ...seen] : isAlone ? told : []
    const shown = { share, told: new Set(before), words }
    for (const { text } of branch.findings.slice(0, share)) seen.add(text)
    return sectionOf({ ...branch, question: beyond(branch.question, task) }, shown)
  })
  const head =
    answer.length > 0
      ? [answer.map(quoteFinding).join('\n'), ...partsNotFound(first, words)]
      : notFound(task, first, words)
  return [`## ${words.answer}`, ...head, ...sections.filter((section) => section !== '')].join('\n\n')
}

/** The question that a question was divided from. */
function aboveOf({ id }: Branch, branches: readonly Branch[]): Branch | undefined {
  const parent = id.slice(0, Math.max(0, id.lastIndexOf('.')))
  return branches.find((other) => other.id === parent)
}

/** Of a question of several parts those that nothing answers, each with what comes nearest. */
function partsNotFound(branch: Branch | undefined, words: ReportWords): string[] {
  return (branch?.parts ?? [])
    .filter(({ answered }) => answered === 'no')
    .flatMap(({ text, findings }) => [fillWords(words.notFound, plainLine(text)), ...nearest(findings, words)])
}

function nearest(findings: readonly EvidenceItem[], words: ReportWords): string[] {
  const near = uniqueFindings(findings).slice(0, NEAREST)
  return near.length > 0 ? [words.nearest, near.map(quoteFinding).join('\n')] : []
}

function notFound(task: string, branch: Branch | undefined, words: ReportWords): string[] {
  const missing = [...new Set((branch?.parts ?? []).flatMap((part) => part.missing))]
  const named = missing.map((word) => `“${word}”`).join(', ')
  const lacks = missing.length > 0 ? fillWords(words.lacks, named) : ''
  const findings = (branch?.parts ?? []).flatMap((part) => part.findings)
  return [`${fillWords(words.notFound, plainLine(task))} ${plainLine(lacks)}`.trimEnd(), ...nearest(findings, words)]
}

interface SectionLimits {
  readonly share: number
  readonly told: ReadonlySet<string>
  readonly words: ReportWords
}

function sectionOf(branch: Branch, { share, told, words }: SectionLimits): string {
  const { id, question, findings } = branch
  const own = findings.filter(({ text }) => !told.has(text))
  const shown = own.slice(0, share)
  const heading = `## ${id} ${plainLine(question)}`
  if (shown.length === 0) {
    return branch.is_added ? [heading, ...notFound(question, branch, words)].join('\n\n') : ''
  }
  const more = own.length > shown.length ? `\n\n${fillWords(words.more, own.length - shown.length)}` : ''
  return `${heading}\n\n${shown.map(quoteFinding).join('\n')}${more}`
}

function quoteFinding({ text, ref, is_row, sql }: EvidenceItem): string {
  if (sql !== undefined) return `- ${escapedInLine(text)} [${ref}], by \`${sql.replaceAll('`', ' ')}\``
  return is_row ? `- ${escapedInLine(text)} [${ref}]` : `- “${escapedInLine(text)}” [${ref}]`
}

/** The first of those that say the same; `ofKind`: of each kind of evidence, so that a node has all that speak for it. */
export function uniqueFindings(findings: readonly EvidenceItem[], { ofKind = false } = {}): EvidenceItem[] {
  const known = new Set<string>()
  const keyOf = ({ text, kind }: EvidenceItem) => (ofKind ? `${kind} ${text}` : text)
  return findings.filter((finding) => !known.has(keyOf(finding)) && known.add(keyOf(finding)))
}
