/** The digest of a file by a language model. */

import type { LanguageModel } from '../../models/language.ts'
import { digestSpans } from '../extractive/stages.ts'
import { PER_FILE } from '../prompts/context_preprocess_per_file.system.ts'
import type { QuotedItem, Span } from '../run/evidence.ts'
import {
  addSpent,
  type DigestedFile,
  type DigestTask,
  type Done,
  leftOf,
  NOTHING_SPENT,
  type StageLimits,
  type UsageLimits,
  withoutCost,
} from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { askFor, useSubstitute } from './ask.ts'
import { digestIn, type RefusedItem } from './read.ts'

/** Maximum characters of the spans of one request, so that the model can return all their items. */
const SPANS = 24_000

/** The spans of one request. */
interface Portion extends DigestTask {
  readonly spans: readonly Span[]
}

type Digested = Done<DigestedFile>

/** Digests a file with as many requests as needed. Parts whose request fails are digested without the model. */
export async function digestByModel(
  model: LanguageModel,
  task: DigestTask,
  { signal, most }: StageLimits,
): Promise<Digested> {
  let sum: Digested = { value: { items: [], rejected: 0 }, spent: NOTHING_SPENT, by: model.name }
  for (const spans of portions(task.spans)) {
    const part = await digestPortion(model, { ...task, spans }, { signal, most: leftOf(most, sum.spent) })
    sum = {
      ...sum,
      ...part,
      value: { items: [...sum.value.items, ...part.value.items], rejected: sum.value.rejected + part.value.rejected },
      spent: addSpent(sum.spent, part.spent),
    }
  }
  return sum
}

async function digestPortion(model: LanguageModel, task: Portion, { signal, most }: StageLimits): Promise<Digested> {
  const spans = new Map(task.spans.map((span) => [span.id, span]))
  const ask = (sent: object, left: UsageLimits) =>
    askFor(model, { prompt: PER_FILE, task: sent, read: (answer) => digestIn(answer, spans), signal, most: left })
  try {
    const { value, spent, isCut } = await ask(taskOf(task), most)
    const { items, refused } = value
    if (isCut) return await restByText(task, { value: { items, rejected: refused.length }, spent, by: model.name })
    const nothing = { value: { items: [], refused }, spent: NOTHING_SPENT, by: model.name }
    // Refused items are sent back once, with the reasons.
    const again =
      refused.length === 0
        ? nothing
        : await ask({ ...taskOf({ ...task, spans: spansNamed(task, refused) }), refused }, leftOf(most, spent)).catch(
            (error: unknown) => useSubstitute<typeof value>(error, nothing),
          )
    const all = uniqueItems([...items, ...again.value.items])
    const sum = addSpent(spent, again.spent)
    if (all.length > 0 || refused.length === 0)
      return { value: { items: all, rejected: again.value.refused.length }, spent: sum, by: model.name }
    const failed = 'None of the items of the model stands in the file.'
    return { ...withoutCost({ items: digestSpans(task.spans), rejected: refused.length }), spent: sum, failed }
  } catch (error) {
    return useSubstitute(error, withoutCost({ items: digestSpans(task.spans), rejected: 0 }))
  }
}

/** Drops repetitions: a model may repeat accepted items. */
function uniqueItems(items: readonly QuotedItem[]): QuotedItem[] {
  return [...new Map(items.map((item) => [[item.text, ...item.sources].join('\0'), item])).values()]
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
    // Only the first row of a table is sent with its header.
    spans: spans.map(({ id, headings, header, text }, at) => ({
      id,
      headings: headings[0] === title ? headings.slice(1) : headings,
      ...(header && header !== spans[at - 1]?.header && { header }),
      text,
    })),
  }
}

/** Keeps the items of an answer that was cut off. Spans after the last one that it reached are digested without the model. */
async function restByText(task: Portion, done: Digested): Promise<Digested> {
  const { items } = done.value
  const reached = task.spans.findLastIndex(({ id }) => items.some(({ sources }) => sources.includes(id)))
  const rest = digestSpans(task.spans.slice(reached + 1))
  const failed = `The answer of the model was cut off: ${items.length} items of it are kept, and ${rest.length} are of the text itself.`
  const by = items.length > 0 ? done.by : EXTRACTIVE
  return { ...done, value: { ...done.value, items: [...items, ...rest] }, by, failed }
}

/** The spans in portions, made one at a time, because a large file has many. */
function* portions(spans: DigestTask['spans']): Generator<readonly Span[]> {
  let found: Span[] = []
  let length = 0
  for (const span of spans) {
    length += span.text.length
    if (found.length > 0 && length > SPANS) {
      yield found
      found = []
      length = span.text.length
    }
    found.push(span)
  }
  if (found.length > 0) yield found
}
