/** The stages of a run, with their tasks and results. A stage is one kind of work, done by a model or by code. */

import type { ResearchReport, SessionAnswer } from '../answers.ts'
import type { ClaimContext } from '../report/claim-check.ts'
import type { ReportSources } from '../report/sources.ts'
import type { ChildQuestion } from '../routing/route.ts'
import { type Budget, EXTRACTIVE } from '../settings.ts'
import type {
  DigestItem,
  EvidenceItem,
  EvidencePassage,
  NodeContextSlice,
  PartEvidence,
  QuotedItem,
  RoutingIndex,
  Sufficiency,
} from './evidence.ts'
import type { RouterChoice } from './slices.ts'
import type { SpanList } from './spans.ts'
import type { Branch, NodeState } from './tree.ts'

/** The requirements for an answer to a question, as a model sees them. */
export type Brief = NonNullable<SessionAnswer['brief']> & { readonly question: string }

export type BriefEdits = Partial<Pick<Brief, 'parts' | 'form'>>

export interface DigestTask {
  /** The brief that decides which items to choose. Default: none. */
  readonly brief?: Pick<Brief, 'question' | 'parts'>
  readonly alias: string
  readonly title: string
  readonly spans: SpanList
}

export interface NodeTask extends Pick<NodeState, 'question' | 'depth'> {
  /** The question of the session. */
  readonly task: string
  /** The node's slice: items of the digest, never the text of a file. */
  readonly slice: NodeContextSlice
}

export type QueryTask = Omit<NodeTask, 'slice'> & Partial<Pick<NodeTask, 'slice'>>

export interface DecomposeTask extends NodeTask {
  readonly gaps: readonly string[]
  /** Questions that must not be asked again. */
  readonly asked: readonly string[]
  /** Maximum number of new questions. */
  readonly maximum: number
}

export interface RouterTask extends NodeTask, Pick<DecomposeTask, 'gaps'> {
  readonly children: readonly ChildQuestion[]
  /** The index of the digest. Default: none. */
  readonly index?: RoutingIndex
}

/** A question that a model explores in the agent's loop. */
export interface ExploreTask extends NodeTask {
  /** The nearest passages to each part of the question. */
  readonly parts: readonly PartEvidence[]
  readonly passages: readonly EvidencePassage[]
  /** Id of the question in the tree. */
  readonly node: string
  /** ISO 8601. */
  readonly today?: string
  readonly sources: Pick<ReportSources, 'claimSource' | 'findWords' | 'describeSearched' | 'tables'>
  /** Findings for the questions above the node. */
  readonly known: readonly EvidenceItem[]
  /** The evidence of the files and of looked-up passages for each part of a question. */
  assess(question: string, passages: readonly EvidencePassage[]): Promise<readonly PartEvidence[]>
  /** Searches the collections and the web, and returns the new passages. Absent if neither is searched. */
  search?(query: string): Promise<readonly EvidencePassage[]>
  /** Pages that were found but not read. */
  unread?(): readonly UnreadPage[]
  /** The brief of the session. Absent for a subquestion. */
  readonly brief?: Pick<Brief, 'parts' | 'missing'>
}

export interface UnreadPage {
  readonly url: string
  readonly title: string
  /** Why it could not be read. A sentence. */
  readonly error?: string | undefined
}

/** Findings of a model, their sufficiency, and the calculations and searches that they cite. */
export interface Exploration extends StageResult<readonly EvidenceItem[]> {
  readonly sufficiency: Sufficiency
  readonly passages: readonly EvidencePassage[]
}

/** Question and sources of a brief. */
export interface BriefTask {
  readonly question: string
  readonly today: string
  readonly files: readonly { readonly name: string; readonly title: string; readonly headings: readonly string[] }[]
}

/** A report, and the parts of the question that it must answer. */
export interface GradeTask extends Pick<Brief, 'question' | 'parts'> {
  readonly report: string
}

export type GradedPart = NonNullable<ResearchReport['parts']>[number]

/** Refused paragraphs of a report. */
export interface RepairTask {
  readonly language: string | undefined
  readonly paragraphs: readonly {
    readonly id: string
    readonly text: string
    readonly problems: readonly { readonly text: string; readonly why: string }[]
    readonly evidence: readonly { readonly ref: string; readonly under: string; readonly text: string }[]
  }[]
}

export type RepairedParagraph = Pick<RepairTask['paragraphs'][number], 'id' | 'text'>

/** Statements of a report, with the passages that they cite. */
export interface JudgeTask extends Pick<ClaimContext, 'question' | 'today'> {
  /** `under`: title and headings. */
  readonly passages: readonly { readonly id: string; readonly under?: string | undefined; readonly text: string }[]
  /** Each statement has its heading and the statements around it; a table row also has its column names. `passages`: ids. */
  readonly claims: readonly {
    readonly id: string
    readonly section?: string
    readonly columns?: string
    readonly before?: string
    readonly claim: string
    /** The number that no passage holds: a sentence. */
    readonly lacks?: string
    readonly after?: string
    readonly passages: readonly string[]
  }[]
}

export interface ClaimVerdict {
  readonly id: string
  readonly verdict: 'supported' | 'partly' | 'unsupported'
  /** A sentence; empty for a supported statement. */
  readonly why: string
  /** A replacement: the statement as the passages support it, or with the calculation of its number. */
  readonly edit?: string
}

/** Evidence that a report may cite. The text of a span of a file is empty, because the items describe it. */
export interface CitableEvidence extends Pick<EvidencePassage, 'ref' | 'title' | 'text'> {
  /** The headings above the evidence, or its address. */
  readonly where: string
}

export interface ReportTask {
  readonly task: string
  /** ISO 8601. */
  readonly today?: string
  readonly language: string | undefined
  readonly brief?: Brief
  /** Evidence that a writer cites by position, from 1. Default: none. */
  readonly evidence?: readonly CitableEvidence[]
  readonly items: readonly DigestItem[]
  readonly branches: readonly Branch[]
  /** What the report lacks, with the reason: a sentence each. */
  readonly missing: readonly string[]
}

/** Usage of models and of the web. */
export type StageUsage = ResearchReport['spent']

export const NO_USAGE: StageUsage = { calls: 0, input: 0, output: 0 }

export interface StageResult<Value> {
  readonly value: Value
  readonly spent: StageUsage
  /** `provider/model`, or `extractive`. */
  readonly by: string
  /** Why the model failed. A sentence. */
  readonly failed?: string
  /** The limit that was reached. */
  readonly exhausted?: 'calls' | 'tokens' | 'cost' | 'ms'
}

export function withoutModel<Value>(value: Value): StageResult<Value> {
  return { value, spent: NO_USAGE, by: EXTRACTIVE }
}

/** Choices by child. `unknown`: number of ids that no item of the parent has; they are dropped. */
export interface Routing {
  readonly choices: Readonly<Record<string, RouterChoice>>
  readonly unknown: number
}

export interface DigestedFile {
  readonly items: readonly QuotedItem[]
  /** As `BoundFile.rejected`. */
  readonly rejected: number
}

/** Limits of usage. Infinity: no limit. */
export type UsageLimits = Required<Pick<Budget, 'calls' | 'tokens' | 'cost'>>

export interface StageLimits {
  readonly signal: AbortSignal
  readonly limits: UsageLimits
}

export type StageWork<Task, Value> = (task: Task, limits: StageLimits) => Promise<StageResult<Value>>

/** The work of a run, by a model or without one. Optional stages need a model. */
export interface Stages {
  readonly digest: StageWork<DigestTask, DigestedFile>
  /** Contradictions between files: groups of ids of items. */
  readonly aggregate: StageWork<readonly DigestItem[], readonly (readonly string[])[]>
  readonly queries: StageWork<QueryTask, readonly string[]>
  /** Findings on a question, and their sufficiency. */
  explore(task: ExploreTask, limits: StageLimits): Promise<Exploration>
  readonly decompose: StageWork<DecomposeTask, readonly string[]>
  readonly router: StageWork<RouterTask, Routing>
  readonly report: StageWork<ReportTask, string>
  readonly brief?: StageWork<BriefTask, Brief>
  readonly judge?: StageWork<JudgeTask, readonly ClaimVerdict[]>
  /** Rewrites paragraphs with refused statements. */
  readonly repair?: StageWork<RepairTask, readonly RepairedParagraph[]>
  readonly grade?: StageWork<GradeTask, readonly GradedPart[]>
}

export function subtractUsage<Limits extends UsageLimits>(limits: Limits, spent: StageUsage): Limits {
  const used: Readonly<Record<string, number | undefined>> = { ...spent, tokens: spent.input + spent.output }
  return mapLimits(limits, (limit, name) => Math.max(0, limit - (used[name] ?? 0)))
}

/** The limits, with `change` applied to each. */
export function mapLimits<Limits extends object>(limits: Limits, change: (limit: number, name: string) => number) {
  const changed = Object.entries(limits).map(([name, limit]) => [name, change(limit, name)] as const)
  return Object.fromEntries(changed) as Limits
}

export function addUsage(a: StageUsage, b: StageUsage): StageUsage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  const sum = { calls: a.calls + b.calls, input: a.input + b.input, output: a.output + b.output }
  const [searches, pages] = [(a.searches ?? 0) + (b.searches ?? 0), (a.pages ?? 0) + (b.pages ?? 0)]
  return { ...sum, ...(cost !== undefined && { cost }), ...(searches > 0 && { searches }), ...(pages > 0 && { pages }) }
}

/** The web requests of a result. `name`: its key. Undefined if the result is neither a page nor a web search. */
export function webUsage(name: string, value: unknown): StageUsage | undefined {
  if (/\/page-\d+$/.test(name)) return { ...NO_USAGE, pages: 1 }
  const isSearch = /\/search-\d+$/.test(name) && Object(value).source === 'web'
  return isSearch ? { ...NO_USAGE, searches: 1 } : undefined
}
