import { escapedInLine } from '../../text/code.ts'
import { plainLine } from '../report/plain.ts'
import { numbersIn, rankPlaces, relevance, termsIn } from '../routing/terms.ts'
import type { EvidenceItem, EvidencePassage } from '../run/evidence.ts'
import type { Branch, ReportTask, SynthesisTask } from '../run/stages.ts'
import { beyond } from './decompose.ts'
import { quotable } from './digest.ts'

/** Findings of a node from its files, and from each of the other places. */
const OF_FILES = 8
const OF_OTHERS = 4

/** A sentence that scores less than this share of the best is more likely there by chance. */
const NEARLY = 0.3

/**
 * Findings of the files where none shares enough with the question, and the share of the best that these must have: they were
 * given for it, so what holds one of its words is more than chance.
 */
const WEAK = { most: 3, nearly: 0.7 }

/** The sentences that speak of the question, in their own words, the best first. What a sentence stands under speaks, too. */
export function synthesisOf({ question, slice, passages, headingsOf }: SynthesisTask): EvidenceItem[] {
  const items = slice.selected_items.filter(({ kind }) => kind !== 'conflict')
  const files = items.map(({ text, sources }): EvidenceItem => ({ text, ref: sources[0] ?? '', kind: 'context' }))
  const kinds = ['collections', 'web', 'earlier'] as const
  const others = kinds.map((kind) => passages.filter((passage) => passage.kind === kind).flatMap(sentencesIn))
  const spoken = ({ text, ref }: EvidenceItem) => [...headingsOf(ref).slice(-1), text].join('\n')
  const asked = { question, spoken }
  const own = best(files, asked, { most: OF_FILES, weak: WEAK.most })
  return [own, ...others.map((some) => best(some, asked, { most: OF_OTHERS, weak: 0 }))].flat()
}

function sentencesIn({ text, ref, kind }: EvidencePassage): EvidenceItem[] {
  return quotable(text).map((sentence) => ({ text: sentence, ref, kind }))
}

interface SynthesisQuestion {
  readonly question: string
  /** What a finding is compared by. */
  spoken(finding: EvidenceItem): string
}

interface Most {
  readonly most: number
  /** Where none shares enough. */
  readonly weak: number
}

/** Those that share enough by themselves; where there are none, with their heading; where there are none, the nearest. */
function best(
  findings: readonly EvidenceItem[],
  { question, spoken }: SynthesisQuestion,
  { most, weak }: Most,
): EvidenceItem[] {
  const own = near(
    findings.map(({ text }) => text),
    question,
  ).strong
  const headed = near(findings.map(spoken), question)
  const [first = []] = [own, headed.strong, headed.weak.slice(0, weak)].filter(({ length }) => length > 0)
  const kept = first.flatMap((at) => (findings[at] ? [[findings[at].text, findings[at]] as const] : []))
  return [...new Map(kept).values()].slice(0, most)
}

/** Places of the texts that come near to the best one, the best first. */
function near(texts: readonly string[], question: string) {
  const scores = relevance(texts, question)
  const order = rankPlaces(scores)
  const top = scores[order[0] ?? -1] ?? 0
  const within = (share: number) => order.filter((at) => (scores[at] ?? 0) >= top * share)
  return {
    strong: within(NEARLY).filter((at) => sharesEnough(texts[at] ?? '', question)),
    weak: within(WEAK.nearly),
  }
}

/** Of a question of several words two, or a number that it asks about: one alone may be chance. */
function sharesEnough(text: string, question: string): boolean {
  const [own, asked] = [new Set(termsIn(question)), new Set(numbersIn(question))]
  const shared = new Set(termsIn(text).filter((term) => own.has(term))).size
  return shared >= Math.min(2, own.size) || numbersIn(text).some((number) => asked.has(number))
}

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
    answer.length > 0
      ? answer.slice(0, FIRST).map(quoteFinding).join('\n')
      : `Nothing was found about: ${plainLine(task)}`
  return [`## Answer\n\n${head}`, ...sections.filter((section) => section !== '')].join('\n\n')
}

function sectionOf({ id, question, findings }: Branch, share: number, told: ReadonlySet<string>): string {
  const own = findings.filter(({ text }) => !told.has(text))
  const shown = own.slice(0, share)
  if (shown.length === 0) return ''
  const more = own.length > shown.length ? `\n\n${own.length - shown.length} more findings are in the run.` : ''
  return `## ${id} ${plainLine(question)}\n\n${shown.map(quoteFinding).join('\n')}${more}`
}

function quoteFinding({ text, ref }: EvidenceItem): string {
  return `- “${escapedInLine(text)}” [${ref}]`
}

function unique(findings: readonly EvidenceItem[]): EvidenceItem[] {
  return [...new Map(findings.map((finding) => [finding.text, finding])).values()]
}
