/** Inputs of research. Together with the configuration, they make the settings of a run. */

import { limitInputs } from '../core/define-inputs.ts'
import { invalidInput, quoteValue } from '../core/errors.ts'
import type { InputFields, InputOf } from '../core/input.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { SEARCH_PROVIDERS } from '../internet/search-provider.ts'
import { type Prices, priceOf } from '../models/prices.ts'
import {
  BUDGET_NAMES,
  DEFAULT_CONCURRENCY,
  EXTRACTIVE,
  type ResearchConfig,
  RUN_BUDGET,
  type RunSettings,
  STAGES,
  type Stage,
  stageModels,
} from './settings.ts'

const COUNT = { is: 'integer', minimum: 1 } as const
const DAY = { is: 'text', placeholder: 'DATE' } as const
const DOMAINS = { is: 'text', list: true, placeholder: 'NAME' } as const

/** Inputs of research: one table for the command line, HTTP, MCP and the library. */
export const researchInputs = {
  question: { is: 'text', required: true, noun: 'question', placeholder: 'QUESTION', description: 'the question' },
  files: { is: 'file', list: true, flag: 'file', placeholder: 'FILE', description: 'files to answer from' },
  collections: {
    is: 'text',
    list: true,
    flag: 'collection',
    short: 'c',
    placeholder: 'NAME',
    names: 'collections',
    description: 'collections to search; default all that are not paused',
  },
  searchCollections: { is: 'flag', default: true, flag: 'no-collections', description: 'search in the collections' },
  web: {
    is: 'choice',
    of: ['default', ...SEARCH_PROVIDERS],
    placeholder: 'PROVIDER',
    description: 'search the web, too, with this provider; "default" is the configured one',
  },
  extractive: { is: 'flag', default: false, description: 'use no models' },
  model: { is: 'text', flag: false, description: 'the model of all stages: provider/model' },
  models: {
    is: 'text',
    list: true,
    flag: 'model',
    placeholder: 'MODEL',
    names: 'models',
    description: `the model of all stages, or STAGE=MODEL for one; stages are ${STAGES.join(', ')}`,
  },
  plan: { is: 'flag', description: 'stop after planning, so that you can change the questions' },
  follows: {
    is: 'text',
    flag: 'follow',
    placeholder: 'ID',
    names: 'sessions',
    description: 'start with the files and findings of this session',
  },
  depth: { ...COUNT, maximum: 6, description: `levels of questions; default ${RUN_BUDGET.depth}` },
  ...limitInputs({ calls: RUN_BUDGET.calls, tokens: RUN_BUDGET.tokens, minutes: RUN_BUDGET.ms / 60_000 }),
  nodes: { ...COUNT, maximum: 1000, description: `maximum number of questions; default ${RUN_BUDGET.nodes}` },
  searches: { is: 'integer', minimum: 0, description: 'maximum number of web searches' },
  pages: { is: 'integer', minimum: 0, description: 'maximum number of web pages to read' },
  price: {
    is: 'text',
    placeholder: 'INPUT/OUTPUT',
    pattern: '^\\d+(\\.\\d+)?/\\d+(\\.\\d+)?$',
    examples: ['3/15'],
    description: 'the price of models whose price is not known, in US dollars per million tokens',
  },
  concurrency: { ...COUNT, maximum: 64, description: `questions to work on at once; default ${DEFAULT_CONCURRENCY}` },
  language: { is: 'text', placeholder: 'NAME', description: 'the language of the report' },
  from: { ...DAY, flag: 'after', description: 'only web pages of this day or later: 2026-05-31' },
  to: { ...DAY, flag: 'before', description: 'only web pages of this day or earlier' },
  allowedDomains: { ...DOMAINS, flag: 'allow-domain', description: 'only web pages of these domains' },
  blockedDomains: { ...DOMAINS, flag: 'block-domain', description: 'no web pages of these domains' },
} as const satisfies InputFields

type ResearchInput = InputOf<typeof researchInputs>

/** A person's request; a program may leave out fields with defaults. */
export type ResearchRequest = Pick<ResearchInput, 'question'> & {
  readonly [Name in Exclude<keyof ResearchInput, 'web'>]?: ResearchInput[Name] | undefined
} & { readonly web?: string | undefined }

/** Configured defaults. `model`: the model of the assistant, as `provider/model`. */
export interface ResearchDefaults extends Partial<ResearchConfig> {
  readonly model?: string | undefined
  /** Prices that the person set. */
  readonly prices?: Prices | undefined
}

/** @throws ContextError `invalid-input` for an unknown stage, and for an invalid language, day, price or domain. */
export function settingsOf(request: ResearchRequest, configured: ResearchDefaults): RunSettings {
  const { language, from, to, price } = request
  return {
    models: modelsOf(request, configured),
    budget: budgetOf(request, configured),
    concurrency: request.concurrency ?? DEFAULT_CONCURRENCY,
    collections: request.searchCollections !== false && (request.collections ?? []),
    web: request.web ?? false,
    plan: request.plan ?? false,
    contextInQueries: configured.contextInQueries ?? false,
    ...(price !== undefined && { price: priceIn(price) }),
    ...(language !== undefined && { language: requireForm('a language', language) }),
    ...(from !== undefined && { from: requireForm('a day', from) }),
    ...(to !== undefined && { to: requireForm('a day', to) }),
    allowedDomains: domainsOf(request.allowedDomains),
    blockedDomains: domainsOf(request.blockedDomains),
  }
}

function modelsOf({ extractive, model, models = [] }: ResearchRequest, configured: ResearchDefaults) {
  if (extractive) return stageModels(EXTRACTIVE)
  const commonModel = model ?? models.find((word) => !word.includes('='))
  const byStage = Object.fromEntries(models.filter((word) => word.includes('=')).map(stageOf))
  return stageModels(commonModel ?? configured.model ?? EXTRACTIVE, { ...configured.models, ...byStage })
}

function stageOf(word: string): readonly [Stage, string] {
  const [name = '', ...model] = word.split('=')
  const stage = STAGES.find((one) => one === name)
  if (stage !== undefined) return [stage, model.join('=')]
  const hint = `Write STAGE=MODEL; stages are ${STAGES.join(', ')}.`
  throw invalidInput(`${JSON.stringify(word)} is not a model of a stage.`, hint)
}

function budgetOf(request: ResearchRequest, { budget = {} }: ResearchDefaults): RunSettings['budget'] {
  const requested = omitUndefined(Object.fromEntries(BUDGET_NAMES.map((name) => [name, request[name]] as const)))
  const { minutes, ...limits }: NonNullable<ResearchDefaults['budget']> = { ...budget, ...requested }
  return { ...RUN_BUDGET, ...limits, ...(minutes !== undefined && { ms: minutes * 60_000 }) }
}

function priceIn(price: string): NonNullable<RunSettings['price']> {
  const [input, output] = requireForm('a price', price).split('/')
  return { input: Number(input), output: Number(output) }
}

/** @throws ContextError `invalid-input` if the cost is limited, but the price of a model is unknown. */
export function assertPriced({ models, budget, price }: RunSettings, prices: Prices = {}): void {
  if (budget.cost === undefined || price !== undefined) return
  const name = Object.values(models).find((model) => model !== EXTRACTIVE && priceOf(model, prices) === undefined)
  if (name === undefined) return
  throw invalidInput(
    `${name} has no known price: a cost limit would have no effect.`,
    'Set its price with --price INPUT/OUTPUT, in US dollars per million tokens, or in "prices" of the configuration.',
  )
}

function domainsOf(domains: readonly string[] = []): string[] {
  return domains.map((domain) => requireForm('a domain', domain).toLowerCase())
}

const VALUE_FORMS = {
  'a price': [
    /^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/,
    'Write US dollars per million input tokens and per million output tokens: 3/15.',
  ],
  'a language': [/^[\p{L}\p{M} ()-]{2,40}$/u, 'Write its name or its code: German, de.'],
  'a day': [/^\d{4}-\d\d-\d\d$/, 'Write it like 2026-05-31.'],
  'a domain': [/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/i, 'Write it like example.org.'],
} as const

/** @throws ContextError `invalid-input` for a word of another form. */
function requireForm(what: keyof typeof VALUE_FORMS, word: string): string {
  const [form, hint] = VALUE_FORMS[what]
  if (form.test(word) && (what !== 'a day' || !Number.isNaN(Date.parse(word)))) return word
  throw invalidInput(`${quoteValue(word)} is not ${what}.`, hint)
}
