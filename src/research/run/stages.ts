/** What each stage of a run takes and gives, whoever does it. */

import type { Stage } from '../settings.ts'
import type { NodeContextSlice } from './context.ts'
import type { DigestItem, EvidenceItem, EvidencePassage, PartEvidence, QuotedItem, Sufficiency } from './evidence.ts'
import type { Choice } from './slices.ts'
import type { SpanList } from './span-table.ts'

/** What a question asks for, as a model understands it. */
export interface Brief {
  readonly question: string
  /** Each of which must have its answer. */
  readonly parts: readonly string[]
  /** Who reads it, what it is for, in which form and how long: a sentence each. */
  readonly reader: string
  readonly form: string
  /** What would have to be told as missing, where nothing is found on it. */
  readonly missing: readonly string[]
}

export interface DigestTask {
  /** What its items are for. Default: anything. */
  readonly brief?: Pick<Brief, 'question' | 'parts'>
  readonly alias: string
  readonly title: string
  readonly spans: SpanList
}

/** Where a node stands. */
export interface NodeTask {
  /** The question of the session. */
  readonly task: string
  readonly question: string
  readonly depth: number
  /** What the node has of the files: of the digest only, never the text of a file. */
  readonly slice: NodeContextSlice
  /** The headings that a source stands under, the outermost first; none for what is not a span of a file. */
  readonly headingsOf: (ref: string) => readonly string[]
}

export interface QueryTask extends Omit<NodeTask, 'slice' | 'headingsOf'> {
  readonly slice?: NodeContextSlice
  /** Where it was searched before: what is missing still, what was searched for, and what is known of each part. */
  readonly gaps?: readonly string[]
  readonly searched?: readonly string[]
  readonly parts?: readonly PartEvidence[]
}

export interface SynthesisTask extends NodeTask {
  /** What the one retrieval finds on each part of the question. */
  readonly parts: readonly PartEvidence[]
  readonly passages: readonly EvidencePassage[]
}

export interface SufficiencyTask extends NodeTask {
  readonly parts: readonly PartEvidence[]
  readonly findings: readonly EvidenceItem[]
}

export interface DecomposeTask extends NodeTask {
  readonly parts: readonly PartEvidence[]
  readonly gaps: readonly string[]
  /** The questions that the tree holds already: none is asked twice. */
  readonly asked: readonly string[]
  readonly most: number
}

export interface ChildTask {
  readonly id: string
  readonly question: string
}

export interface RouterTask extends NodeTask {
  readonly gaps: readonly string[]
  readonly children: readonly ChildTask[]
}

/** One question of the tree, and what was found out. */
export interface Branch {
  readonly id: string
  readonly question: string
  readonly depth: number
  readonly status: string
  readonly evidence: readonly string[]
  readonly findings: readonly EvidenceItem[]
  /** Parts of the question; whether each is answered, by itself or by a question below it. */
  readonly parts: readonly PartEvidence[]
  readonly gaps: readonly string[]
  readonly reasoning: string
  /** Asked of a run that was over. */
  readonly is_added?: boolean
}

/** What a report may cite. */
export interface CitableEvidence {
  readonly ref: string
  readonly title: string
  /** The headings that it stands under. */
  readonly where: string
  /** Of a passage; empty for a span of a file, which its items tell. */
  readonly text: string
}

export interface ReportTask {
  readonly task: string
  /** ISO 8601. */
  readonly today?: string
  readonly language: string | undefined
  readonly brief?: Brief
  /** A writer cites it by its place, from 1. Default: nothing. */
  readonly evidence?: readonly CitableEvidence[]
  readonly items: readonly DigestItem[]
  readonly files: readonly { readonly alias: string; readonly title: string; readonly items: readonly string[] }[]
  readonly branches: readonly Branch[]
  /** What is missing, and why: a sentence each. */
  readonly missing: readonly string[]
}

/** Tokens and requests of one piece of work. */
export interface Spent {
  readonly calls: number
  readonly input: number
  readonly output: number
  /** US dollars, where the price is known. */
  readonly cost?: number
  /** Searches of the web, and pages that were asked for. */
  readonly searches?: number
  readonly pages?: number
}

export const NOTHING_SPENT: Spent = { calls: 0, input: 0, output: 0 }

/** What came of a stage. */
export interface Done<Value> {
  readonly value: Value
  readonly spent: Spent
  /** `provider/model`, or `extractive`. */
  readonly by: string
  /** Why the model that was to do it did not. A sentence. */
  readonly failed?: string
  /** What there was no more of. */
  readonly exhausted?: 'calls' | 'tokens' | 'cost' | 'ms'
}

export interface Tasks {
  readonly digest: { readonly task: DigestTask; readonly value: { items: readonly QuotedItem[]; rejected: number } }
  readonly queries: { readonly task: QueryTask; readonly value: readonly string[] }
  readonly synthesis: { readonly task: SynthesisTask; readonly value: readonly EvidenceItem[] }
  readonly sufficiency: { readonly task: SufficiencyTask; readonly value: Sufficiency }
  readonly decompose: { readonly task: DecomposeTask; readonly value: readonly string[] }
  readonly router: { readonly task: RouterTask; readonly value: Routed }
  readonly report: { readonly task: ReportTask; readonly value: string }
}

/** Choices by child; `unknown`: ids that are of no item of the parent, which were left out. */
export interface Routed {
  readonly choices: Readonly<Record<string, Choice>>
  readonly unknown: number
}

export type TaskOf<One extends Stage> = Tasks[One]['task']
export type ValueOf<One extends Stage> = Tasks[One]['value']

/** Does a stage. `most`: what it may still take; of tokens `input` is for both ways together. */
export type StageWorker<One extends Stage> = (
  task: TaskOf<One>,
  signal: AbortSignal,
  most: Spent,
) => Promise<Done<ValueOf<One>>>

/** Ids of items that do not agree, of different files. */
export type Disagreement = readonly string[]

export interface AggregateTask {
  readonly items: readonly DigestItem[]
}

export type Workers = { readonly [One in Stage]: StageWorker<One> }

export type Staff = Workers & {
  /** A part of the stage `digest`: what the files do not agree on, beyond what their words show. */
  aggregate(task: AggregateTask, signal: AbortSignal, most: Spent): Promise<Done<readonly Disagreement[]>>
}

export function addSpent(a: Spent, b: Spent): Spent {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  const sum = { calls: a.calls + b.calls, input: a.input + b.input, output: a.output + b.output }
  const [searches, pages] = [(a.searches ?? 0) + (b.searches ?? 0), (a.pages ?? 0) + (b.pages ?? 0)]
  return {
    ...sum,
    ...(cost !== undefined && { cost }),
    ...(searches > 0 && { searches }),
    ...(pages > 0 && { pages }),
  }
}

/** A question of a plan. */
export interface PlannedChild {
  readonly question: string
  readonly pinned?: boolean
}

/** What a piece of work asked of the web, by the name that it is kept by. */
export function webSpent(name: string, value: unknown): Spent | undefined {
  if (/\/page-\d+$/.test(name)) return { ...NOTHING_SPENT, pages: 1 }
  const isSearch = /\/search-\d+$/.test(name) && Object(value).source === 'web'
  return isSearch ? { ...NOTHING_SPENT, searches: 1 } : undefined
}
