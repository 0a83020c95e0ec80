import { escapedInLine } from '../../text/code.ts'
import { plain } from '../report/plain.ts'
import type { Finding } from '../run/evidence.ts'
import type { Branch, ReportTask } from '../run/stages.ts'
import { beyond } from './decompose.ts'

/** Findings that begin the report, and those of all branches together: each branch has its fair share. */
const FIRST = 6
const ALL = 120

/** The body of a report: sentences of the sources, shown as they are, each with what it is cited by. */
export function reportBody({ task, branches }: ReportTask): string {
  const share = Math.max(2, Math.floor(ALL / Math.max(1, branches.length)))
  const [first, ...others] = branches
  const rest = others.filter(({ findings }) => findings.length > 0)
  const answer = unique(first?.findings.length ? first.findings : rest.flatMap(({ findings }) => findings.slice(0, 2)))
  const told = new Set(answer.slice(0, FIRST).map(({ text }) => text))
  const sections = rest.map((branch) =>
    sectionOf({ ...branch, question: beyond(branch.question, task) }, share, rest.length > 1 ? new Set() : told),
  )
  const head =
    answer.length > 0 ? answer.slice(0, FIRST).map(quoted).join('\n') : `Nothing was found about: ${plain(task)}`
  return [`## Answer\n\n${head}`, ...sections.filter((section) => section !== '')].join('\n\n')
}

function sectionOf({ id, question, findings }: Branch, share: number, told: ReadonlySet<string>): string {
  const own = findings.filter(({ text }) => !told.has(text))
  const shown = own.slice(0, share)
  if (shown.length === 0) return ''
  const more = own.length > shown.length ? `\n\n${own.length - shown.length} more findings are in the run.` : ''
  return `## ${id} ${plain(question)}\n\n${shown.map(quoted).join('\n')}${more}`
}

function quoted({ text, ref }: Finding): string {
  return `- “${escapedInLine(text)}” [${ref}]`
}

function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.text, finding])).values()]
}
