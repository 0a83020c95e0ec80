import { escapedInLine } from '../../text/code.ts'
import { plainLine } from '../report/plain.ts'
import type { EvidenceItem, EvidenceKind, PartEvidence } from '../run/evidence.ts'
import type { Branch, ReportTask, SynthesisTask } from '../run/stages.ts'
import { beyond } from './decompose.ts'

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
const NEAREST = 2

/** The body of a report: sentences of the sources, shown as they are, each with what it is cited by. */
export function reportBody({ task, branches }: ReportTask): string {
  const share = Math.max(2, Math.floor(ALL / Math.max(1, branches.length)))
  const [first, ...others] = branches
  const rest = others.filter(({ findings }) => findings.length > 0)
  const most = Math.max(FIRST, FIRST_OF_PART * (first?.parts.length ?? 1))
  const found = first?.findings.length ? first.findings : rest.flatMap(({ findings }) => findings.slice(0, 2))
  const answer = uniqueFindings(found).slice(0, most)
  const told = new Set(answer.map(({ text }) => text))
  const sections = rest.map((branch) =>
    sectionOf({ ...branch, question: beyond(branch.question, task) }, share, rest.length > 1 ? new Set() : told),
  )
  const head =
    answer.length > 0 ? [answer.map(quoteFinding).join('\n'), ...partsNotFound(first)] : notFound(task, first)
  return ['## Answer', ...head, ...sections.filter((section) => section !== '')].join('\n\n')
}

/** Of a question of several parts those that nothing answers. */
function partsNotFound(branch: Branch | undefined): string[] {
  return (branch?.parts ?? [])
    .filter(({ answered }) => answered === 'no')
    .map(({ text }) => `Not found: ${plainLine(text)}`)
}

function notFound(task: string, branch: Branch | undefined): string[] {
  const words = [...new Set((branch?.parts ?? []).flatMap(({ missing }) => missing))]
  const lacks = words.length > 0 ? `Nothing that was read holds ${words.map((word) => `“${word}”`).join(', ')}.` : ''
  const near = uniqueFindings((branch?.parts ?? []).flatMap(({ findings }) => findings)).slice(0, NEAREST)
  const nearest = near.length > 0 ? ['What comes nearest:', near.map(quoteFinding).join('\n')] : []
  return [`Not found: ${plainLine(task)} ${plainLine(lacks)}`.trimEnd(), ...nearest]
}

function sectionOf({ id, question, findings }: Branch, share: number, told: ReadonlySet<string>): string {
  const own = findings.filter(({ text }) => !told.has(text))
  const shown = own.slice(0, share)
  if (shown.length === 0) return ''
  const more = own.length > shown.length ? `\n\n${own.length - shown.length} more findings are in the run.` : ''
  return `## ${id} ${plainLine(question)}\n\n${shown.map(quoteFinding).join('\n')}${more}`
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
