/** Every stage without a model: the same input gives the same answer. It shows passages, and judges none. */

import { splitQuestion } from '../../text/questions.ts'
import { fillWords, reportWords } from '../report/report-words.ts'
import { route } from '../routing/route.ts'
import type { Span } from '../run/context.ts'
import type { EvidenceItem, QuotedItem, Sufficiency } from '../run/evidence.ts'
import { type Choice, noteOn } from '../run/slices.ts'
import {
  type DecomposeTask,
  type Done,
  type ExploreTask,
  NOTHING_SPENT,
  type Routed,
  type RouterTask,
  type Stages,
} from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { itemText } from './passages.ts'
import { reportBody } from './report.ts'

/** Items of a file; what a question needs beyond them is added. */
const MOST_ITEMS = 400

export const extractiveStages: Stages = {
  aggregate: async () => withoutCost([]),
  digest: async ({ spans }) => withoutCost({ items: digestSpans(spans), rejected: 0 }),
  queries: async ({ question }) => withoutCost([question]),
  explore: async (task) => ({
    ...withoutCost(synthesisOf(task)),
    sufficiency: sufficiencyOf(task),
    passages: [],
  }),
  decompose: async (task) => withoutCost(partsToAsk(task)),
  router: async (task) => withoutCost(routeByWords(task)),
  report: async (task) => withoutCost(reportBody(task)),
}

function withoutCost<Value>(value: Value): Done<Value> {
  return { value, spent: NOTHING_SPENT, by: EXTRACTIVE }
}

/** The parts of a question that were not asked above it; none of a simple question. */
export function partsToAsk({ question, asked, most }: DecomposeTask): string[] {
  const parts = splitQuestion(question)
  return parts.length > 1 ? parts.filter((part) => !asked.includes(part)).slice(0, most) : []
}

/** The passages of a file as items, of each section in turn one. */
export function digestSpans(spans: Iterable<Span>, most = MOST_ITEMS): QuotedItem[] {
  const rounds: Span[][] = []
  const counts = new Map<string, number>()
  for (const span of spans) {
    if (!/\p{L}{2}/u.test(span.text)) continue
    const section = span.headings.join('\0')
    const round = counts.get(section) ?? 0
    counts.set(section, round + 1)
    rounds[round] = [...(rounds[round] ?? []), span]
  }
  const chosen = rounds.flat().slice(0, most)
  return chosen
    .sort((a, b) => a.start - b.start)
    .map((span) => ({ kind: 'fact', text: itemText(span), sources: [span.id] }))
}

/** The passages that come nearest to each part. */
export function synthesisOf({ parts }: Pick<ExploreTask, 'parts'>): EvidenceItem[] {
  return uniqueFindings(parts.flatMap(({ findings }) => findings))
}

/** Nothing is judged sufficient. Gaps are the parts that no passage is near to, in the language of the question. */
export function sufficiencyOf({ question, parts }: Pick<ExploreTask, 'question' | 'parts'>): Sufficiency {
  const open = parts.filter(({ answered }) => answered === 'no')
  const gaps = open.map(({ text }) => fillWords(reportWords(question).unanswered, text))
  return { is_sufficient: false, reasoning: 'No model judged what was found.', gaps }
}

/** Which items go to which child, by their words. */
export function routeByWords({ slice, children, index }: RouterTask): Routed {
  const byChild = route(slice.selected_items, children, index)
  const choices = children.map(({ id, question }): readonly [string, Choice] => {
    const chosen = new Set(byChild.get(id))
    const items = slice.selected_items.filter((item) => chosen.has(item.id))
    const selection_reason = 'The items whose words and places fit this question best.'
    return [id, { item_ids: [...chosen], selection_reason, coverage_note: noteOn(question, items) }]
  })
  return { choices: Object.fromEntries(choices), unknown: 0 }
}

/** The first of those that say the same of the same place. */
export function uniqueFindings(findings: readonly EvidenceItem[]): EvidenceItem[] {
  return [
    ...new Map(findings.toReversed().map((one) => [`${one.kind} ${one.ref} ${one.text}`, one])).values(),
  ].reverse()
}
