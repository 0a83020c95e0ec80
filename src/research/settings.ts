/** Settings of a run: chosen at its start, and stored with it. */

import { BUILT_IN_MODEL } from '../core/choices.ts'
import type { SearchScope } from '../internet/web-search.ts'

export { requiredSetting, SEARCH_PROVIDERS, type SearchProvider } from '../internet/search-provider.ts'

export const STAGES = ['digest', 'queries', 'synthesis', 'decompose', 'router', 'report'] as const
export type Stage = (typeof STAGES)[number]

/** Formats of exported reports. `bib`: BibTeX; `csl`: CSL-JSON. */
export const REPORT_FORMATS = ['md', 'html', 'docx', 'pdf', 'bib', 'csl'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The name that is set instead of a model for a stage without a model. */
export const EXTRACTIVE = 'extractive'

/** Whether a name of a model stands for no model. */
export function isExtractive(name: string): boolean {
  return name === EXTRACTIVE || name === BUILT_IN_MODEL
}

/** Limits of a run, by the names that people use. */
export const BUDGET_NAMES = ['calls', 'tokens', 'cost', 'minutes', 'depth', 'nodes', 'searches', 'pages'] as const

export interface ResearchConfig {
  readonly models: Partial<StageModels>
  readonly budget: Readonly<Partial<Record<(typeof BUDGET_NAMES)[number], number>>>
  /** Quota of one guest of a server. */
  readonly quota?: Readonly<Partial<ResearchQuota>>
  /** Whether query generation gets items of the files. */
  readonly contextInQueries: boolean
}

/** The model of each stage: `provider/model`, or `extractive`. */
export type StageModels = Readonly<Record<Stage, string>>

/** Hard limits of a run. A request is sent only if its longest possible answer would still be within the limits. */
export interface Budget {
  /** Requests to models. */
  readonly calls: number
  /** Tokens of all requests and answers together. */
  readonly tokens: number
  /** US dollars for models with a known price. Absent: no limit. */
  readonly cost?: number
  /** Milliseconds of work, without pauses. */
  readonly ms: number
  /** Levels of the tree, including the root. */
  readonly depth: number
  /** Questions of the tree. */
  readonly nodes: number
  /** Web searches, and web pages to read. Absent: no limit. */
  readonly searches?: number
  readonly pages?: number
}

export const RUN_BUDGET: Budget = { calls: 400, tokens: 4_000_000, ms: 3_600_000, depth: 3, nodes: 60 }

/** Default quota of a guest of a server: sessions, and bytes of their files. Administrators have none. */
export const GUEST_QUOTA = { sessions: 200, bytes: 1024 ** 3 }
export type ResearchQuota = Readonly<typeof GUEST_QUOTA>

/**
 * The part of the limits that a run reserves for its report, including plan, judge and grade. `calls`: requests to
 * models, but at most a quarter of all requests. `share`: share of the tokens and of the cost.
 */
export const REPORT_RESERVE = { calls: 5, share: 0.25 } as const

/** Maximum children of a node (a question of the tree); default number of nodes to work on in parallel. */
export const MAX_CHILDREN = 7
export const DEFAULT_CONCURRENCY = 4

/** Settings of a run. The domains and the days `from` and `to` limit web results; pages without a date are accepted. */
export interface RunSettings
  extends Pick<ResearchConfig, 'contextInQueries'>,
    Pick<SearchScope, 'from' | 'to'>,
    Required<Pick<SearchScope, 'allowedDomains' | 'blockedDomains'>> {
  readonly models: StageModels
  readonly budget: Budget
  readonly concurrency: number
  /** Collections to search; if empty, all that are not paused; `false`: none. */
  readonly collections: readonly string[] | false
  /** The provider of web search; `false`: no web search. */
  readonly web: string | false
  /** Whether to stop after the first questions, so that a person may change them. */
  readonly plan: boolean
  /** Price of models without a known price: US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
  /** Name or code of the report's language, as the person wrote it. */
  readonly language?: string
  /** The only collections that the principal who started the run may search. Default: all. */
  readonly only?: readonly string[]
}

/** The model of each stage: the model in `byStage`, else `model`. The router's default is the model of `decompose`. */
export function stageModels(model: string, byStage: Partial<StageModels> = {}): StageModels {
  const models = Object.fromEntries(STAGES.map((stage) => [stage, byStage[stage] ?? model])) as Record<Stage, string>
  return { ...models, router: byStage.router ?? models.decompose }
}
