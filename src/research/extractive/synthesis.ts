import type { Finding, Passage } from '../evidence.ts'
import type { SynthesisTask } from '../stages.ts'
import { numbersIn, ranking, relevance, termsIn } from '../terms.ts'
import { quotable } from './digest.ts'

/** Findings of a node from its files, and from each of the other places. */
const OF_FILES = 8
const OF_OTHERS = 4

/** A sentence that scores less than this share of the best is more likely there by chance. */
const NEARLY = 0.3

/** The sentences that speak of the question, in their own words, the best first. */
export function synthesisOf({ question, slice, passages }: SynthesisTask): Finding[] {
  const items = slice.selected_items.filter(({ kind }) => kind !== 'conflict')
  const files = items.map(({ text, sources }): Finding => ({ text, ref: sources[0] ?? '', kind: 'context' }))
  const kinds = ['collections', 'web', 'earlier'] as const
  const others = kinds.map((kind) => passages.filter((passage) => passage.kind === kind).flatMap(sentencesIn))
  return [best(files, question, OF_FILES), ...others.map((some) => best(some, question, OF_OTHERS))].flat()
}

function sentencesIn({ text, ref, kind }: Passage): Finding[] {
  return quotable(text).map((sentence) => ({ text: sentence, ref, kind }))
}

function best(findings: readonly Finding[], question: string, most: number): Finding[] {
  const scores = relevance(
    findings.map(({ text }) => text),
    question,
  )
  const years = new Set(numbersIn(question))
  const own = new Set(termsIn(question))
  const order = ranking(scores)
  const top = scores[order[0] ?? -1] ?? 0
  const kept = order.filter((at) => (scores[at] ?? 0) >= top * NEARLY && sharesEnough(findings[at], own, years))
  const unique = new Map(kept.flatMap((at) => (findings[at] ? [[findings[at].text, findings[at]] as const] : [])))
  return [...unique.values()].slice(0, most)
}

/** Of a question of several words two, or a number that it asks about: one alone is chance. */
function sharesEnough(finding: Finding | undefined, own: ReadonlySet<string>, numbers: ReadonlySet<string>): boolean {
  if (!finding) return false
  const shared = new Set(termsIn(finding.text).filter((term) => own.has(term))).size
  const hasNumber = numbersIn(finding.text).some((number) => numbers.has(number))
  return shared >= Math.min(2, own.size) || hasNumber
}
