/** What is done with whole files of a session, and with all that they say. It takes seconds where they are large: a thread does it. */

import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { childrenOf } from '../extractive/decompose.ts'
import { digestSpans } from '../extractive/digest.ts'
import type { ReadFile } from '../report/sources.ts'
import { route } from '../routing/route.ts'
import { aggregateOf } from './aggregate.ts'
import type { Span } from './context.ts'
import type { DigestItem, EvidencePassage } from './evidence.ts'
import { FileEvidence } from './file-evidence.ts'
import { assessQuestion } from './question-evidence.ts'
import { openSpans, type PackedSpans, packSpans, type SentSpans } from './span-table.ts'
import { spansOf } from './spans.ts'
import type { DecomposeTask, RouterTask } from './stages.ts'

/** A text as spans. `hash`: SHA-256 of their JSON, in hex; digests are kept by it. */
export interface CutText {
  readonly packed: PackedSpans
  readonly hash: string
}

/** A task as a thread is sent it: with what stands under which headings, in place of the function that says so. */
export type SentTask<Task extends { headingsOf: unknown }> = Omit<Task, 'headingsOf'> & {
  readonly headings: ReadonlyMap<string, readonly string[]>
}

export type SentText = Omit<ReadFile, 'spans'> & SentSpans

interface AssessOrder {
  readonly key: string
  readonly question: string
  readonly passages: readonly EvidencePassage[]
}

interface NeedOrder {
  readonly key: string
  readonly question: string
  readonly digest: readonly DigestItem[]
  readonly digested: number
}

const headingsIn = (headings: ReadonlyMap<string, readonly string[]>) => (ref: string) => headings.get(ref) ?? []

/** Whole files as they are asked, by the keys of those who opened them: in this thread alone. */
const opened = new Map<string, FileEvidence>()

function evidenceAt(key: string): FileEvidence {
  const evidence = opened.get(key)
  if (!evidence) throw new Error('The files were not opened in this thread.')
  return evidence
}

/** Spans that are one string at a time: the JSON of a million is longer than a string may be. */
const HASHED = 1000

/** SHA-256 of the JSON of all of them. */
function hashOf(spans: readonly Span[]): string {
  const hash = createHash('sha256').update('[')
  for (let at = 0; at < spans.length; at += HASHED) {
    const json = JSON.stringify(spans.slice(at, at + HASHED)).slice(1, -1)
    hash.update(at === 0 ? json : `,${json}`)
  }
  return hash.update(']').digest('hex')
}

export const textWork = {
  openFiles: ({ key, files }: { readonly key: string; readonly files: readonly SentText[] }): void => {
    opened.set(key, new FileEvidence(files.map((file) => ({ ...file, spans: openSpans(file) }))))
  },
  closeFiles: (key: string): void => {
    opened.delete(key)
  },
  assess: ({ key, question, passages }: AssessOrder) => assessQuestion(question, { files: evidenceAt(key), passages }),
  need: ({ key, question, digest, digested }: NeedOrder) => evidenceAt(key).itemsFor(question, digest, digested),
  cut(text: Parameters<typeof spansOf>[0]): CutText {
    const spans = spansOf(text)
    return { packed: packSpans(spans), hash: hashOf(spans) }
  },
  digest: (sent: SentSpans) => digestSpans(openSpans(sent)),
  aggregate: aggregateOf,
  decompose: ({ headings, ...task }: SentTask<DecomposeTask>) =>
    childrenOf({ ...task, headingsOf: headingsIn(headings) }),
  route: ({ headings, slice, children }: SentTask<RouterTask>) =>
    route(slice.selected_items, children, headingsIn(headings)),
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
