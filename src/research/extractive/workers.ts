/** Every stage without a model: the same input gives the same answer. It shows passages, and judges none. */

import { splitQuestion } from '../../text/questions.ts'
import { fillWords, reportWords } from '../report/report-words.ts'
import { route } from '../routing/route.ts'
import type { Span } from '../run/context.ts'
import type { EvidenceItem, QuotedItem, Sufficiency } from '../run/evidence.ts'
import { type Choice, noteOn } from '../run/slices.ts'
import {
  type Done,
  NOTHING_SPENT,
  type Routed,
  type RouterTask,
  type Staff,
  type SynthesisTask,
} from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { itemText } from './passages.ts'
import { reportBody } from './report.ts'

/** Changes whenever the same spans would give other items: digests are kept by it. */
export const EXTRACTIVE_DIGEST = 'extractive-4'

/** Items of a file; what a question needs beyond them is added. */
const MOST_ITEMS = 400

export const extractiveWorkers: Staff = {
  // What words show is found when digests are put together.
  aggregate: async () => withoutCost([]),
  digest: async ({ spans }) => withoutCost({ items: digestSpans(spans), rejected: 0 }),
  // What was looked up once is not looked up again: nobody judges what is missing.
  queries: async ({ question, searched }) => withoutCost(searched ? [] : [question]),
  synthesis: async (task) => withoutCost(synthesisOf(task)),
  sufficiency: async (task) => withoutCost(sufficiencyOf(task)),
  decompose: async ({ question, asked, most }) => {
    const parts = splitQuestion(question)
    return withoutCost(parts.length > 1 ? parts.filter((part) => !asked.includes(part)).slice(0, most) : [])
  },
  router: async (task) => withoutCost(routeByWords(task)),
  report: async (task) => withoutCost(reportBody(task)),
}

function withoutCost<Value>(value: Value): Done<Value> {
  return { value, spent: NOTHING_SPENT, by: EXTRACTIVE }
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
export function synthesisOf({ parts }: Pick<SynthesisTask, 'parts'>): EvidenceItem[] {
  return uniqueFindings(parts.flatMap(({ findings }) => findings))
}

/** Nothing is judged sufficient. Gaps are the parts that no passage is near to, in the language of the question. */
export function sufficiencyOf({ question, parts }: Pick<SynthesisTask, 'question' | 'parts'>): Sufficiency {
  const open = parts.filter(({ answered }) => answered === 'no')
  const gaps = open.map(({ text }) => fillWords(reportWords(question).unanswered, text))
  return { is_sufficient: false, reasoning: 'No model judged what was found.', gaps }
}

/** Which items go to which child, by their words. */
export function routeByWords({ slice, children, headingsOf }: RouterTask): Routed {
  const byChild = route(slice.selected_items, children, headingsOf)
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
