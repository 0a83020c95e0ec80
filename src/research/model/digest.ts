/** The digest of a file by a language model. */

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

/** Maximum characters of the spans of one request, so that the model can return all their items. */
const MAX_SPANS_LENGTH = 24_000

/** The spans of one request. */
interface Portion extends DigestTask {
  readonly spans: readonly Span[]
}

/** `by` and `failed`: as in `StageResult`. */
type PortionDigest = DigestedFile & Pick<StageResult<unknown>, 'by' | 'failed'>

/** Digests a file with as many requests as needed. Parts whose request fails are digested without the model. */
export function digestByModel(model: LanguageModel, task: DigestTask, { signal, limits }: StageLimits) {
  const work = async (budgeted: BudgetedModel) => {
    let sum: PortionDigest = { items: [], rejected: 0, by: model.name }
    for (const spans of batchesWithin(task.spans, { size: MAX_SPANS_LENGTH, sizeOf: ({ text }) => text.length })) {
      const part = await digestPortion(budgeted, { ...task, spans }, signal)
      sum = { ...sum, ...part, items: [...sum.items, ...part.items], rejected: sum.rejected + part.rejected }
    }
    const { items, rejected, ...how } = sum
    return { value: { items, rejected }, ...how }
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
  if (first.isCut) return digestRest(task, { items: uniqueItems(items), rejected: refused.length, by: model.name })
  if (refused.length === 0) return { items: uniqueItems(items), rejected: 0, by: model.name }
  // Refused items are sent back once, with the reasons.
  const second = await ask({ ...taskOf({ ...task, spans: spansNamed(task, refused) }), refused }).catch(unusableReason)
  const { value: again, isCut } = typeof second === 'string' ? { value: { items: [], refused }, isCut: false } : second
  const all = uniqueItems([...items, ...again.items])
  const cut = isCut ? { failed: CUT_OFF } : {}
  if (all.length > 0) return { items: all, rejected: again.refused.length, by: model.name, ...cut }
  return withoutModel('No item of the model is in the file.', refused.length)
}

/** The items without repetitions, because a model may repeat accepted items. */
function uniqueItems(items: readonly QuotedItem[]): QuotedItem[] {
  return firstOfEach(items, ({ text, sources }) => [text, ...sources].join('\0'))
}

/** The spans that refused items name; all if they name none. */
function spansNamed({ spans }: Portion, refused: readonly RefusedItem[]): readonly Span[] {
  const named = new Set(refused.flatMap(({ item }) => [Object(item).sources].flat().map(String)))
  const near = spans.filter(({ id }) => named.has(id))
  return near.length > 0 ? near : spans
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
      // Cells of tables are padded. A quotation may have other white space than its span.
      text: text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
    })),
  }
}

/** Keeps the items of an answer that was cut off. Spans after the last one that it reached are digested without the model. */
function digestRest(task: Portion, digest: PortionDigest): PortionDigest {
  const { items } = digest
  const reached = task.spans.findLastIndex(({ id }) => items.some(({ sources }) => sources.includes(id)))
  const rest = digestSpans(task.spans.slice(reached + 1))
  const failed = `${CUT_OFF} ${items.length} items of it are kept, and ${rest.length} are of the text itself.`
  return { ...digest, items: [...items, ...rest], by: items.length > 0 ? digest.by : EXTRACTIVE, failed }
}
