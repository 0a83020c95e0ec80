/** The digest of a file by a language model. */

import type { LanguageModel } from '../../models/language.ts'
import { digestSpans } from '../extractive/workers.ts'
import { PER_FILE } from '../prompts/context_preprocess_per_file.system.ts'
import type { ClaimSource } from '../report/claim-check.ts'
import type { Span } from '../run/context.ts'
import { addSpent, type DigestTask, type Done, NOTHING_SPENT, type Spent, type ValueOf } from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import {
  type AskLimits,
  askModel,
  malformedAnswer,
  parseAnswerObject,
  parseCutItems,
  Unusable,
  useSubstitute,
} from './ask.ts'
import { digestIn } from './read.ts'

/** Characters of spans that one request holds, so that its items are within what a model may answer. */
const SPANS = 24_000

/** Spans that one request holds. */
interface Portion extends DigestTask {
  readonly spans: readonly Span[]
}

/** A file in as many requests as it takes; what a request does not give is done without the model. */
export async function digestByModel(
  model: LanguageModel,
  task: DigestTask,
  { signal, most }: AskLimits,
): Promise<Done<ValueOf<'digest'>>> {
  let sum: Done<ValueOf<'digest'>> = { value: { items: [], rejected: 0 }, spent: NOTHING_SPENT, by: model.name }
  for (const spans of portions(task.spans)) {
    const left = {
      ...most,
      calls: most.calls - sum.spent.calls,
      input: most.input - sum.spent.input - sum.spent.output,
      ...(most.cost !== undefined && { cost: most.cost - (sum.spent.cost ?? 0) }),
    }
    const part = await portion(model, { ...task, spans }, { signal, most: left })
    sum = {
      ...sum,
      ...part,
      value: { items: [...sum.value.items, ...part.value.items], rejected: sum.value.rejected + part.value.rejected },
      spent: addSpent(sum.spent, part.spent),
    }
  }
  return sum
}

async function portion(
  model: LanguageModel,
  { alias, title, spans }: Portion,
  { signal, most }: AskLimits,
): Promise<Done<ValueOf<'digest'>>> {
  try {
    const task = {
      file: alias,
      title,
      spans: spans.map(({ id, headings, header, text }) => ({ id, headings, ...(header && { header }), text })),
    }
    const answer = await askModel(model, { system: PER_FILE.text, task, maxOutputTokens: 12_000, most, signal })
    const value = digestIn(parseAnswerObject(answer.text, answer.spent), sourcesOf({ alias, title, spans }))
    if (!value) throw malformedAnswer(answer.spent)
    return { value, spent: answer.spent, by: model.name }
  } catch (error) {
    if (error instanceof Unusable && error.cut !== undefined) {
      return digestOfCut(model, { alias, title, spans }, { cut: error.cut, spent: error.spent })
    }
    const items = digestSpans(spans)
    return useSubstitute(error, { value: { items, rejected: 0 }, spent: NOTHING_SPENT, by: 'extractive' })
  }
}

/** What an answer says that was cut off was paid for, and is kept; of the spans that it did not come to the text itself tells. */
async function digestOfCut(
  model: LanguageModel,
  task: Portion,
  { cut, spent }: { readonly cut: string; readonly spent: Spent },
): Promise<Done<ValueOf<'digest'>>> {
  const { items, rejected } = digestIn({ items: parseCutItems(cut) }, sourcesOf(task)) ?? { items: [], rejected: 0 }
  const reached = task.spans.findLastIndex(({ id }) => items.some(({ sources }) => sources.includes(id)))
  const rest = digestSpans(task.spans.slice(reached + 1))
  const failed = `The answer of the model was cut off: ${items.length} items of it are kept, and ${rest.length} are of the text itself.`
  return {
    value: { items: [...items, ...rest], rejected },
    spent,
    by: items.length > 0 ? model.name : EXTRACTIVE,
    failed,
  }
}

/** Spans as what an item that names them is held against. */
function sourcesOf({ alias, title, spans }: Portion): ReadonlyMap<string, ClaimSource> {
  return new Map(
    spans.map(({ id, text, headings, header = '' }) => [
      id,
      { text, context: [alias, title, ...headings, header].join('\n') },
    ]),
  )
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
