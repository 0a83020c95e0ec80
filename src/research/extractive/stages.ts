/** All stages, done without a model: they show passages, and judge nothing. Equal inputs give equal results. */

import { escapeInline } from '../../text/code.ts'
import { withoutFences } from '../../text/fences.ts'
import { splitQuestion } from '../../text/questions.ts'
import { plainLine } from '../report/citations.ts'
import { fillWords, type ReportWords, reportWords } from '../report/report-words.ts'
import { route } from '../routing/route.ts'
import type { EvidenceItem, PartEvidence, QuotedItem, Span, Sufficiency } from '../run/evidence.ts'
import { firstOfEach, type RouterChoice } from '../run/slices.ts'
import {
  type DecomposeTask,
  type ExploreTask,
  type ReportTask,
  type RouterTask,
  type Routing,
  type Stages,
  withoutModel,
} from '../run/stages.ts'
import type { Branch } from '../run/tree.ts'
import { itemText } from './passages.ts'

/** Maximum items of a file. The rest is not lost: each question also searches the whole text. */
const MAX_ITEMS = 400

export const extractiveStages: Stages = {
  aggregate: async () => withoutModel([]),
  digest: async ({ spans }) => withoutModel({ items: digestSpans(spans), rejected: 0 }),
  queries: async ({ question }) => withoutModel([question]),
  explore: async (task) => ({ ...withoutModel(synthesisOf(task)), sufficiency: sufficiencyOf(task), passages: [] }),
  decompose: async (task) => withoutModel(splitUnasked(task)),
  router: async (task) => withoutModel(routeByWords(task)),
  report: async (task) => withoutModel(reportBody(task)),
}

/** The parts of a question that no question above it asks; empty for a simple question. */
export function splitUnasked({ question, asked, maximum }: DecomposeTask): string[] {
  const parts = splitQuestion(question)
  return parts.length > 1 ? parts.filter((part) => !asked.includes(part)).slice(0, maximum) : []
}

/**
 * The passages of a file as items, at most `maxItems`, chosen from each section in turn. The result is in the order of the text.
 */
export function digestSpans(spans: Iterable<Span>, maxItems = MAX_ITEMS): QuotedItem[] {
  const worded = [...spans].filter(({ text }) => /\p{L}{2}/u.test(text))
  const sections = [...Map.groupBy(worded, ({ headings }) => headings.join('\0')).values()]
  const inTurn = sections.flatMap((all) => all.map((span, round) => ({ span, round })))
  const chosen = inTurn.toSorted((a, b) => a.round - b.round).slice(0, maxItems)
  return chosen
    .toSorted((a, b) => a.span.start - b.span.start)
    .map(({ span }) => ({ kind: 'fact', text: itemText(span), sources: [span.id] }))
}

/** The passages nearest to each part. */
export function synthesisOf({ parts }: Pick<ExploreTask, 'parts'>): EvidenceItem[] {
  return uniqueFindings(parts.flatMap(({ findings }) => findings))
}

/** A verdict that is never sufficient, because no model judges. Gaps: a sentence for each part without a passage. */
export function sufficiencyOf({ question, parts }: Pick<ExploreTask, 'question' | 'parts'>): Sufficiency {
  const open = parts.filter(({ answered }) => answered === 'no')
  const gaps = open.map(({ text }) => fillWords(reportWords(question).unanswered, text))
  return { is_sufficient: false, reasoning: 'No model judged what was found.', gaps }
}

/** Assigns items to children by their words. */
export function routeByWords({ slice, children, index }: RouterTask): Routing {
  const byChild = route(slice.selected_items, children, index)
  const choices = children.map(({ id }): readonly [string, RouterChoice] => {
    const item_ids = byChild.get(id) ?? []
    const selection_reason = 'The items whose words and places fit this question best.'
    return [id, { item_ids, selection_reason, coverage_note: item_ids.length === 0 ? 'No item was selected.' : '' }]
  })
  return { choices: Object.fromEntries(choices), unknown: 0 }
}

/** The findings without repetitions. If several have the same text at the same place, the first stays. */
export function uniqueFindings(findings: readonly EvidenceItem[]): EvidenceItem[] {
  return firstOfEach(findings, ({ kind, ref, text }) => `${kind} ${ref} ${text}`)
}

/** The body of a report: the passages for each part of the question, then for each other question. */
export function reportBody({ task, language, branches }: ReportTask): string {
  const words = reportWords(task, language)
  const shown = new Set<string>()
  const [root, ...below] = branches
  const rootParts = root ? partsOf(root) : []
  const asked = new Set(rootParts.map(({ text }) => text))
  // If a part became a subquestion, the passages of the subquestion are shown.
  const parts = rootParts.map((part) => {
    const child = below.find(({ question }) => question === part.text)
    return (child && partsOf(child)[0]) ?? part
  })
  const others = below.filter(({ question, findings, isAdded }) => {
    return !asked.has(question) && (findings.length > 0 || isAdded)
  })
  const answer = parts.flatMap((part) => {
    return [...(parts.length < 2 ? [] : [`### ${plainLine(part.text)}`]), ...partBody(part, words, shown)]
  })
  const sections = others.flatMap((branch) => [
    `## ${branch.id} ${plainLine(branch.question)}`,
    ...partsOf(branch).flatMap((part) => partBody(part, words, shown)),
  ])
  return ['## Answer', ...answer, ...sections].join('\n\n')
}

/** The parts of a question. If it has fewer than two, the question itself is the only part. */
function partsOf({ question, parts, findings }: Branch): readonly PartEvidence[] {
  const [first, ...more] = parts
  if (first && more.length > 0) return parts
  return [{ answered: 'no', missing: [], ...first, text: question, findings }]
}

/**
 * The passages of a part that the report does not show yet, or their citations if the report shows all of them; then
 * the words of the part that no source contains. `shown`: citation and text of the passages that the report shows
 * already.
 */
function partBody({ text, findings, missing }: PartEvidence, words: ReportWords, shown: Set<string>): string[] {
  const named = missing.map((word) => `“${plainLine(word)}”`).join(', ')
  const lacks = named === '' ? '' : fillWords(words.lacks, named)
  if (findings.length === 0) return [`${fillWords(words.notFound, plainLine(text))} ${lacks}`.trimEnd()]
  const isShown = ({ ref, text: said }: EvidenceItem) => shown.has(`${ref} ${said}`)
  const repeatedRefs = findings.filter(isShown).map(({ ref }) => `[${ref}]`)
  const quotes = findings.filter((finding) => !isShown(finding)).map(quoteFinding)
  for (const { ref, text: said } of findings) shown.add(`${ref} ${said}`)
  return [...(quotes.length > 0 ? quotes : [repeatedRefs.join(' ')]), lacks].filter((one) => one !== '')
}

function quoteFinding({ text, ref, place, is_row }: EvidenceItem): string {
  const cited = place === undefined ? `[${ref}]` : `[${ref}] ${plainLine(place)}`
  return is_row ? `${escapeInline(text)} ${cited}` : `${blockQuote(text)}\n\n${cited}`
}

/**
 * Text of a source as a block quote. Its lines begin no heading, table or rule; items of lists and lines of code stay separate.
 */
function blockQuote(text: string): string {
  const whole = text.replace(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/g, '\n\n')
  const prose = withoutFences(whole).split('\n')
  return whole
    .split(/\r\n?|\n/)
    .map((line, at) => (prose[at] === '' ? codeLine(line.trimEnd()) : proseLine(line.trimEnd())))
    .map((line) => `> ${line}`.replace(/^> $/, '>'))
    .join('\n')
}

function proseLine(line: string): string {
  return escapeInline(line).replace(/^(\s*)(?=[#>=|~_]|([-*])(?:\s*\2)+\s*$)/, '$1\\')
}

/**
 * A line of code that ends in a line break. Its indentation becomes non-breaking spaces: Markdown would read spaces as
 * a block of code.
 */
function codeLine(line: string): string {
  if (line === '') return ''
  return `${escapeInline(line)
    .replace(/[*_~]/g, '\\$&')
    .replace(/^\s*/, (indent) => '\u00A0'.repeat(indent.length + 1))}  `
}
