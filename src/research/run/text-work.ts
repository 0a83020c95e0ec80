/** What is done with whole files of a session, and with all that they say. It takes seconds where they are large: a thread does it. */

import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { childrenOf } from '../extractive/decompose.ts'
import { digestSpans } from '../extractive/digest.ts'
import { route } from '../routing/route.ts'
import { aggregateOf } from './aggregate.ts'
import type { Span } from './context.ts'
import { spansOf } from './spans.ts'
import type { DecomposeTask, RouterTask } from './stages.ts'

/** A text as spans. `hash`: SHA-256 of their JSON, in hex; digests are kept by it. */
export interface CutText {
  readonly spans: readonly Span[]
  readonly hash: string
}

/** A task as a thread is sent it: with what stands under which headings, in place of the function that says so. */
export type SentTask<Task extends { headingsOf: unknown }> = Omit<Task, 'headingsOf'> & {
  readonly headings: ReadonlyMap<string, readonly string[]>
}

const headingsIn = (headings: ReadonlyMap<string, readonly string[]>) => (ref: string) => headings.get(ref) ?? []

export const textWork = {
  cut(text: Parameters<typeof spansOf>[0]): CutText {
    const spans = spansOf(text)
    return { spans, hash: createHash('sha256').update(JSON.stringify(spans)).digest('hex') }
  },
  digest: (spans: readonly Span[]) => digestSpans(spans),
  aggregate: aggregateOf,
  decompose: ({ headings, ...task }: SentTask<DecomposeTask>) =>
    childrenOf({ ...task, headingsOf: headingsIn(headings) }),
  route: ({
    items,
    children,
  }: { readonly items: RouterTask['slice']['selected_items'] } & Pick<RouterTask, 'children'>) =>
    route(items, children),
}

export type TextWork = typeof textWork

/** What a thread is sent: whose answer it is, and what is to be done. */
export interface TextOrder {
  readonly id: number
  readonly name: keyof TextWork
  readonly given: Parameters<TextWork[keyof TextWork]>[0]
}

parentPort?.on('message', ({ id, name, given }: TextOrder) => {
  const work = textWork[name] as (given: TextOrder['given']) => unknown
  try {
    parentPort?.postMessage({ id, value: work(given) })
  } catch (error) {
    parentPort?.postMessage({ id, error })
  }
})
