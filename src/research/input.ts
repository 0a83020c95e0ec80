/** What a person asks for when research is begun, and what comes of it with what is configured. */

import { ContextError } from '../core/errors.ts'
import {
  BUDGET,
  CONCURRENCY,
  EXTRACTIVE,
  type ResearchConfig,
  type RunSettings,
  STAGES,
  type Stage,
  stageModels,
} from './settings.ts'

export interface ResearchRequest {
  readonly question: string
  /** A session whose findings and files it begins with. */
  readonly follows?: string | undefined
  /** No stage is done by a model. */
  readonly extractive?: boolean | undefined
  /** The model of all stages, instead of the configured one. */
  readonly model?: string | undefined
  /** By stage, `router=extractive`. */
  readonly models?: readonly string[] | undefined
  /** All that are not paused where none is named. */
  readonly collections?: readonly string[] | undefined
  /** Whether collections are searched. Default: yes. */
  readonly searchCollections?: boolean | undefined
  /** A provider of web search; `default` is the configured one. Default: the web is not searched. */
  readonly web?: string | undefined
  readonly plan?: boolean | undefined
  readonly depth?: number | undefined
  readonly calls?: number | undefined
  readonly tokens?: number | undefined
  /** US dollars. */
  readonly cost?: number | undefined
  readonly minutes?: number | undefined
  readonly nodes?: number | undefined
  readonly concurrency?: number | undefined
  readonly language?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly allowedDomains?: readonly string[] | undefined
  readonly blockedDomains?: readonly string[] | undefined
}

/** What is configured. `model`: of the assistant, `provider/model`. */
export interface ResearchDefaults extends Partial<ResearchConfig> {
  readonly model?: string | undefined
}

/** @throws ContextError `invalid-input` for what is no stage, no day or no domain. */
export function settingsOf(asked: ResearchRequest, configured: ResearchDefaults): RunSettings {
  const { language, from, to } = asked
  const isNone = asked.searchCollections === false
  const collections = isNone ? false : (asked.collections ?? [])
  return {
    models: modelsOf(asked, configured),
    budget: budgetOf(asked, configured),
    concurrency: asked.concurrency ?? CONCURRENCY,
    collections,
    web: asked.web ?? false,
    plan: asked.plan ?? false,
    contextInQueries: configured.contextInQueries ?? false,
    ...(language !== undefined && { language: languageOf(language) }),
    ...(from !== undefined && { from: dayOf(from) }),
    ...(to !== undefined && { to: dayOf(to) }),
    allowedDomains: (asked.allowedDomains ?? []).map(domainOf),
    blockedDomains: (asked.blockedDomains ?? []).map(domainOf),
  }
}

function modelsOf(
  { extractive, model, models = [] }: ResearchRequest,
  configured: ResearchDefaults,
): RunSettings['models'] {
  if (extractive) return stageModels(EXTRACTIVE)
  const told = Object.fromEntries(models.map(stageOf))
  return stageModels(model ?? configured.model ?? EXTRACTIVE, { ...configured.models, ...told })
}

function stageOf(word: string): readonly [Stage, string] {
  const [name = '', ...rest] = word.split('=')
  const stage = STAGES.find((one) => one === name)
  if (stage !== undefined && rest.length > 0) return [stage, rest.join('=')]
  throw invalidResearchInput(
    `${JSON.stringify(word)} is no model of a stage.`,
    `Write STAGE=MODEL; stages are ${STAGES.join(', ')}.`,
  )
}

function budgetOf(asked: ResearchRequest, { budget = {} }: ResearchDefaults): RunSettings['budget'] {
  const { calls, tokens, cost, minutes, depth, nodes } = { ...budget, ...definedOf(asked) }
  return {
    calls: calls ?? BUDGET.calls,
    tokens: tokens ?? BUDGET.tokens,
    ...(cost !== undefined && { cost }),
    ms: minutes === undefined ? BUDGET.ms : minutes * 60_000,
    depth: depth ?? BUDGET.depth,
    nodes: nodes ?? BUDGET.nodes,
  }
}

function definedOf({
  calls,
  tokens,
  cost,
  minutes,
  depth,
  nodes,
}: ResearchRequest): NonNullable<ResearchDefaults['budget']> {
  const all = { calls, tokens, cost, minutes, depth, nodes }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function languageOf(language: string): string {
  if (/^[\p{L}\p{M} ()-]{2,40}$/u.test(language)) return language
  throw invalidResearchInput(
    `${JSON.stringify(language.slice(0, 100))} is no language.`,
    'Write its name or its code: German, de.',
  )
}

function dayOf(day: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))) return day
  throw invalidResearchInput(`${JSON.stringify(day.slice(0, 100))} is no day.`, 'Write it like 2026-05-31.')
}

function domainOf(domain: string): string {
  const plain = domain.toLowerCase()
  if (/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/.test(plain)) return plain
  throw invalidResearchInput(`${JSON.stringify(domain.slice(0, 100))} is no domain.`, 'Write it like example.org.')
}

function invalidResearchInput(message: string, hint: string): ContextError {
  return new ContextError('invalid-input', message, { hint })
}
