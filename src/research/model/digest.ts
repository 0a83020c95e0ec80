/** The digest of a file by a language model. */

import type { LanguageModel } from '../../models/language.ts'
import { digestSpans } from '../extractive/stages.ts'
import { PER_FILE } from '../prompts/context_preprocess_per_file.system.ts'
import type { Span } from '../run/context.ts'
import type { QuotedItem } from '../run/evidence.ts'
import {
  addSpent,
  type DigestedFile,
  type DigestTask,
  type Done,
  NOTHING_SPENT,
  type Spent,
  type StageLimits,
} from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { askFor, useSubstitute } from './ask.ts'
import { leftOf } from './budgeted-model.ts'
import { digestIn, type RefusedItem } from './read.ts'

/** Characters of spans that one request holds, so that its items are within what a model may answer. */
const SPANS = 24_000

/** Spans that one request holds. */
interface Portion extends DigestTask {
  readonly spans: readonly Span[]
}

type Digested = Done<DigestedFile>

/** A file in as many requests as it takes; what a request does not give is done without the model. */
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

async function digestPortion(model: LanguageModel, task: Portion, limits: StageLimits): Promise<Digested> {
  try {
    const spans = new Map(task.spans.map((span) => [span.id, span]))
    const wanted = {
      prompt: PER_FILE,
      task: taskOf(task),
      read: (answer: object) => digestIn({ ...answer }, spans),
    }
    const { value, spent, isCut } = await askFor(model, { ...wanted, ...limits })
    const { items, refused } = value
    if (isCut) return await restByText(task, { value: { items, rejected: refused.length }, spent, by: model.name })
    const again = await askAgain(model, task, { refused, limits: { ...limits, most: leftOf(limits.most, spent) } })
    if (items.length + again.value.items.length === 0 && refused.length > 0) {
      const failed = 'None of the items of the model stands in the file.'
      const value = { items: digestSpans(task.spans), rejected: refused.length }
      return { value, spent: addSpent(spent, again.spent), by: EXTRACTIVE, failed }
    }
    return {
      value: { items: uniqueItems([...items, ...again.value.items]), rejected: again.value.rejected },
      spent: addSpent(spent, again.spent),
      by: model.name,
    }
  } catch (error) {
    const items = digestSpans(task.spans)
    return useSubstitute(error, { value: { items, rejected: 0 }, spent: NOTHING_SPENT, by: EXTRACTIVE })
  }
}

/** A model may repeat items that were accepted. */
function uniqueItems(items: readonly QuotedItem[]): QuotedItem[] {
  return [...new Map(items.map((item) => [[item.text, ...item.sources].join('\0'), item])).values()]
}

/** Items that were refused go back once, with what is wrong with them. */
async function askAgain(
  model: LanguageModel,
  task: Portion,
  { refused, limits }: { readonly refused: readonly RefusedItem[]; readonly limits: StageLimits },
): Promise<{ readonly value: DigestedFile; readonly spent: Spent }> {
  if (refused.length === 0) return { value: { items: [], rejected: 0 }, spent: NOTHING_SPENT }
  const named = new Set(refused.flatMap(({ item }) => [Object(item).sources].flat().map(String)))
  const near = task.spans.filter(({ id }) => named.has(id) || named.size === 0)
  const spans = new Map(task.spans.map((span) => [span.id, span]))
  const read = (answer: object) => digestIn({ ...answer }, spans)
  try {
    const again = { ...taskOf({ ...task, spans: near.length > 0 ? near : task.spans }), refused }
    const { value, spent } = await askFor(model, { prompt: PER_FILE, task: again, read, ...limits })
    return { value: { items: value.items, rejected: value.refused.length }, spent }
  } catch (error) {
    const nothing = { value: { items: [], rejected: refused.length }, spent: NOTHING_SPENT, by: model.name }
    return useSubstitute(error, nothing)
  }
}

function taskOf({ alias, title, brief, spans }: Portion) {
  return {
    ...(brief && { question: brief.question, parts: brief.parts }),
    file: alias,
    title,
    // A table has its header with its first row.
    spans: spans.map(({ id, headings, header, text }, at) => ({
      id,
      headings,
      ...(header && header !== spans[at - 1]?.header && { header }),
      text,
    })),
  }
}

/** What an answer says that was cut off was paid for, and is kept; of the spans that it did not come to the text itself tells. */
async function restByText(task: Portion, done: Digested): Promise<Digested> {
  const { items } = done.value
  const reached = task.spans.findLastIndex(({ id }) => items.some(({ sources }) => sources.includes(id)))
  const rest = digestSpans(task.spans.slice(reached + 1))
  const failed = `The answer of the model was cut off: ${items.length} items of it are kept, and ${rest.length} are of the text itself.`
  const by = items.length > 0 ? done.by : EXTRACTIVE
  return { ...done, value: { ...done.value, items: [...items, ...rest] }, by, failed }
}

/** One after the other: a large file has more spans than are made at once. */
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
