/** Digests a file with a language model: reads its statements as items. */

import { batchesWithin } from '../../core/batches.ts'
import type { LanguageModel } from '../../models/language.ts'
import { digestSpans } from '../extractive/stages.ts'
import { PER_FILE } from '../prompts/context_preprocess_per_file.system.ts'
import type { QuotedItem, Span } from '../run/evidence.ts'
import { firstOfEach } from '../run/slices.ts'
import type { DigestedFile, DigestTask, StageLimits, StageResult } from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { askForJson, type BudgetedModel, CUT_OFF, unusableReason, workWithModel } from './ask.ts'
import { digestIn, type RefusedItem } from './read.ts'

/** Maximum characters of the spans (citable pieces of text) of one request, so that their items fit in an answer. */
const MAX_SPANS_LENGTH = 24_000

/** The part of a task that one request contains. */
interface Portion extends DigestTask {
  readonly spans: readonly Span[]
}

/** `by` and `failed`: as in `StageResult`. */
type PortionDigest = DigestedFile & Pick<StageResult<unknown>, 'by' | 'failed'>

/** Digests a file with as many requests as needed. If a request fails, its spans are digested without the model. */
export function digestByModel(model: LanguageModel, task: DigestTask, { signal, limits }: StageLimits) {
  const work = async (budgeted: BudgetedModel) => {
    let sum: PortionDigest = { items: [], rejected: 0, by: model.name }
    for (const spans of batchesWithin(task.spans, { size: MAX_SPANS_LENGTH, sizeOf: ({ text }) => text.length })) {
      const digest = await digestPortion(budgeted, { ...task, spans }, signal)
      sum = { ...sum, ...digest, items: [...sum.items, ...digest.items], rejected: sum.rejected + digest.rejected }
    }
    const { items, rejected, ...outcome } = sum
    return { value: { items, rejected }, ...outcome }
  }
  return workWithModel(model, { limits, work, substitute: () => ({ items: digestSpans(task.spans), rejected: 0 }) })
}

async function digestPortion(model: BudgetedModel, task: Portion, signal: AbortSignal): Promise<PortionDigest> {
  const spans = new Map(task.spans.map((span) => [span.id, span]))
  const ask = (sent: object) =>
    askForJson(model, { prompt: PER_FILE, task: () => sent, signal, read: (answer) => digestIn(answer, spans) })
  const withoutModel = (failed: string, rejected = 0) => {
    return { items: digestSpans(task.spans), rejected, by: EXTRACTIVE, failed }
  }
  const first = await ask(taskOf(task)).catch(unusableReason)
  if (typeof first === 'string') return withoutModel(first)
  const { items, refused } = first.value
  if (first.isCut) return completeDigest(task, { items: uniqueItems(items), rejected: refused.length, by: model.name })
  if (refused.length === 0) return { items: uniqueItems(items), rejected: 0, by: model.name }
  // Refused items are sent back once, with the reasons.
  const second = await ask({ ...taskOf({ ...task, spans: spansNamed(task, refused) }), refused }).catch(unusableReason)
  const { value: mended, isCut } = typeof second === 'string' ? { value: { items: [], refused }, isCut: false } : second
  const allItems = uniqueItems([...items, ...mended.items])
  const failure = isCut ? { failed: CUT_OFF } : {}
  if (allItems.length > 0) return { items: allItems, rejected: mended.refused.length, by: model.name, ...failure }
  return withoutModel('No item of the model is in the file.', refused.length)
}

/** The items without repetitions, because a model may repeat accepted items. */
function uniqueItems(items: readonly QuotedItem[]): QuotedItem[] {
  return firstOfEach(items, ({ text, sources }) => [text, ...sources].join('\0'))
}

/** The spans that refused items name; all spans if they name none. */
function spansNamed({ spans }: Portion, refused: readonly RefusedItem[]): readonly Span[] {
  const ids = new Set(refused.flatMap(({ item }) => [Object(item).sources].flat().map(String)))
  const namedSpans = spans.filter(({ id }) => ids.has(id))
  return namedSpans.length > 0 ? namedSpans : spans
}

function taskOf({ alias, title, brief, spans }: Portion) {
  return {
    ...(brief && { question: brief.question, parts: brief.parts }),
    file: alias,
    title,
    spans: spans.map(({ id, headings, header, text }, at) => ({
      id,
      ...(headings.join('\0') !== spans[at - 1]?.headings.join('\0') && {
        headings: headings[0] === title ? headings.slice(1) : headings,
      }),
      ...(header && header !== spans[at - 1]?.header && { header }),
      // Without the padding of table cells: the white space of a quotation may differ from its span.
      text: text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
    })),
  }
}

/** Completes an answer that was cut off: code digests the spans after the last span that the answer names. */
function completeDigest(task: Portion, digest: PortionDigest): PortionDigest {
  const { items } = digest
  const lastNamed = task.spans.findLastIndex(({ id }) => items.some(({ sources }) => sources.includes(id)))
  const added = digestSpans(task.spans.slice(lastNamed + 1))
  const failed = `${CUT_OFF} ${items.length} items of it are kept, and ${added.length} are of the text itself.`
  return { ...digest, items: [...items, ...added], by: items.length > 0 ? digest.by : EXTRACTIVE, failed }
}
