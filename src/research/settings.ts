/** Settings of a run: chosen at its start, and kept with it. */

import { BUILT_IN_MODEL } from '../core/choices.ts'

export { requiredSetting, SEARCH_PROVIDERS, type SearchProvider } from '../internet/search-provider.ts'

export const STAGES = ['digest', 'queries', 'synthesis', 'decompose', 'router', 'report'] as const
export type Stage = (typeof STAGES)[number]

/** Formats of exported reports. `bib`: BibTeX; `csl`: CSL-JSON. */
export const REPORT_FORMATS = ['md', 'html', 'docx', 'pdf', 'bib', 'csl'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The name under which a stage does without a model. */
export const EXTRACTIVE = 'extractive'

/** Whether a stage of that name needs no model. */
export function isExtractive(name: string): boolean {
  return name === EXTRACTIVE || name === BUILT_IN_MODEL
}

/** Limits of a run, by their names for people. */
export const BUDGET_NAMES = ['calls', 'tokens', 'cost', 'minutes', 'depth', 'nodes', 'searches', 'pages'] as const

/** Configuration of research. */
export interface ResearchConfig {
  /** By stage: `provider/model`, or `extractive`. */
  readonly models: Readonly<Partial<Record<Stage, string>>>
  readonly budget: Readonly<Partial<Record<(typeof BUDGET_NAMES)[number], number>>>
  /** Of one guest of a server. */
  readonly quota?: Readonly<Partial<ResearchQuota>>
  /** Whether query generation sees what the files say. */
  readonly contextInQueries: boolean
}

/** By stage: `provider/model`, or `extractive`. */
export type StageModels = Readonly<Record<Stage, string>>

/** Limits of a run. Hard: no call is made whose worst case exceeds them. */
export interface Budget {
  /** Requests to models. */
  readonly calls: number
  /** Tokens of all requests and answers together. */
  readonly tokens: number
  /** Of models whose price is known, in US dollars. Absent: none is set. */
  readonly cost?: number
  /** Milliseconds of work; what lies between a pause and its end does not count. */
  readonly ms: number
  /** Levels of the tree, the root being the first. */
  readonly depth: number
  readonly nodes: number
  /** Searches of the web, and pages that are read. Absent: as many as the questions ask for. */
  readonly searches?: number
  readonly pages?: number
}

export const BUDGET: Budget = { calls: 400, tokens: 4_000_000, ms: 3_600_000, depth: 3, nodes: 60 }

/** Quota of a guest of a server: sessions, and bytes of their files. Administrators have none. */
export interface ResearchQuota {
  readonly sessions: number
  readonly bytes: number
}

export const QUOTA: ResearchQuota = { sessions: 200, bytes: 1024 ** 3 }

/** Reserved for the report, its plan, its judge and its grade: a quarter of few calls. */
export const RESERVE = { calls: 5, share: 0.25 } as const

/** Children of a node at most, and how many nodes are worked on at once. */
export const MOST_CHILDREN = 7
export const CONCURRENCY = 4

/** Settings of one run. */
export interface RunSettings {
  readonly models: StageModels
  readonly budget: Budget
  readonly concurrency: number
  /** Collections that are searched; all that are not paused where none is named; `false`: none. */
  readonly collections: readonly string[] | false
  /** The provider by which the web is searched; `false`: it is not. */
  readonly web: string | false
  /** Stops after the first questions, so that a person may change them. */
  readonly plan: boolean
  /** Whether query generation sees the context. */
  readonly contextInQueries: boolean
  /** Of models without a known price: US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
  /** Of the report; as a word for a model. */
  readonly language?: string
  /** Of web pages: ISO 8601 days. Pages without a date pass. */
  readonly from?: string
  readonly to?: string
  /** Allowed and excluded domains of web results, with their subdomains. */
  readonly allowedDomains: readonly string[]
  readonly blockedDomains: readonly string[]
  /** The only collections there are for whoever started it; absent: all. */
  readonly only?: readonly string[]
}

/** All stages by one model; the router by the model that decomposes. */
export function stageModels(all: string, some: Partial<Record<Stage, string>> = {}): StageModels {
  const decompose = some.decompose ?? all
  const each = Object.fromEntries(STAGES.map((stage) => [stage, some[stage] ?? all])) as Record<Stage, string>
  return { ...each, router: some.router ?? decompose }
}
