/** Paragraphs of a model's report that their sources do not bear out are written again, once. */

import { checkClaims } from '../report/claims.ts'
import { checkQuotes } from '../report/quotes.ts'
import type { ReportSources } from '../report/sources.ts'
import { rankPlaces, relevance } from '../routing/terms.ts'
import type { RepairedParagraph, RepairTask, ReportTask } from './stages.ts'

/** Pieces of evidence that go with a paragraph. */
const EVIDENCE = 12

type FailingParagraph = RepairTask['paragraphs'][number]

/** Where a report may be cut: between its paragraphs. */
const BETWEEN = /(\n[^\S\n]*\n\s*)/

/** What statements are held against. */
export interface ClaimBasis {
  readonly sources: ReportSources
  readonly refuted: ReadonlyMap<string, string>
}

/** The paragraphs of a report that are not borne out, each with what was found on it. */
export function failingParagraphs(report: string, task: ReportTask, basis: ClaimBasis): FailingParagraph[] {
  return report.split(BETWEEN).flatMap((text, at) => {
    const problems = problemsOf(text, basis)
    return problems.length === 0 ? [] : [{ id: String(at), text, problems, evidence: evidenceFor(text, task) }]
  })
}

/** The report, with what was written again where that fails less than what it was made of. */
export function replaceParagraphs(report: string, written: readonly RepairedParagraph[], basis: ClaimBasis): string {
  const blocks = report.split(BETWEEN).map((text, at) => {
    const other = written.find(({ id }) => id === String(at))?.text
    return other !== undefined && isBetter(other, text, basis) ? other : text
  })
  return blocks.join('')
}

/** It says something that is borne out, and fewer things that are not. */
function isBetter(other: string, text: string, basis: ClaimBasis): boolean {
  const { claims } = checkClaims(other, basis.sources.claimSource, basis)
  const isHeld = claims.some(({ verdict }) => verdict === 'supported')
  return isHeld && !/^#/m.test(other) && problemsOf(other, basis).length < problemsOf(text, basis).length
}

function problemsOf(text: string, { sources, refuted }: ClaimBasis): FailingParagraph['problems'] {
  if (/^(?:#[^\n]*)?$/.test(text.trim())) return []
  const claims = checkClaims(text, sources.claimSource, { refuted }).claims.flatMap(({ text: claim, why }) =>
    why === undefined ? [] : [{ text: claim, why }],
  )
  const quotes = checkQuotes(text, sources.textOf).unproven.map(({ quote }) => ({
    text: quote,
    why: 'Its source does not hold these words.',
  }))
  return [...claims, ...quotes]
}

/** What was found that has most to do with a paragraph: of what it cites, and of what it does not. */
function evidenceFor(text: string, { items, branches }: ReportTask): FailingParagraph['evidence'] {
  const all = [
    ...items.map((item) => ({ ref: item.sources[0] ?? '', text: item.text })),
    ...branches.flatMap(({ findings }) => findings.map((one) => ({ ref: one.ref, text: one.text }))),
  ]
  const known = new Set<string>()
  const own = all.filter((one) => !known.has(one.text) && known.add(one.text))
  const scores = relevance(
    own.map((one) => one.text),
    text,
  ).map((score, at) => score + (text.includes(own[at]?.ref ?? '') ? 1 : 0))
  return rankPlaces(scores)
    .slice(0, EVIDENCE)
    .flatMap((at) => own[at] ?? [])
}
