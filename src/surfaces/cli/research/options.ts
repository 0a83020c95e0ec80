import { parseArgs } from 'node:util'
import { UsageError } from '../../../core/errors.ts'
import type { ResearchRequest } from '../../../research/input.ts'
import { parseAsUsage } from '../ask.ts'

/** What was typed behind `research`. */
export interface ResearchOptions {
  readonly request: ResearchRequest
  readonly files: readonly string[]
  /** Where the report is written; default `research-ID.md` in the current directory. */
  readonly out: string | undefined
  readonly db: string | undefined
  readonly json: boolean
}

const OPTIONS = {
  file: { type: 'string', multiple: true },
  collection: { type: 'string', multiple: true, short: 'c' },
  'no-collections': { type: 'boolean' },
  web: { type: 'string' },
  follow: { type: 'string' },
  plan: { type: 'boolean' },
  extractive: { type: 'boolean' },
  model: { type: 'string', multiple: true },
  depth: { type: 'string' },
  concurrency: { type: 'string' },
  'budget-calls': { type: 'string' },
  'budget-tokens': { type: 'string' },
  'budget-cost': { type: 'string' },
  'budget-minutes': { type: 'string' },
  'budget-nodes': { type: 'string' },
  language: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'allow-domain': { type: 'string', multiple: true },
  'block-domain': { type: 'string', multiple: true },
  out: { type: 'string' },
  db: { type: 'string' },
  json: { type: 'boolean' },
  format: { type: 'string' },
} as const

/** @throws UsageError */
export function researchOptions(argv: readonly string[]): ResearchOptions {
  const { values, positionals } = parseAsUsage(
    () => parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true }),
    'research',
  )
  const [question = '', ...more] = positionals
  const example = "For example: ambit research 'what does it cost?' --file offer.pdf"
  if (question.trim() === '') throw new UsageError('The question is missing.', example)
  if (more.length > 0) throw new UsageError(`"${more[0]}" is one argument too many.`, 'Put the question in quotes.')
  if (values.format !== undefined && values.format !== 'json') {
    throw new UsageError('--format must be json, or not be there.', 'See ambit research --help.')
  }
  const models = values.model ?? []
  const model = models.find((word) => !word.includes('='))
  const request: ResearchRequest = {
    question,
    follows: values.follow,
    extractive: values.extractive,
    model,
    models: models.filter((word) => word.includes('=')),
    collections: values.collection,
    searchCollections: values['no-collections'] ? false : undefined,
    web: values.web,
    plan: values.plan,
    depth: whole('depth', values.depth, 6),
    concurrency: whole('concurrency', values.concurrency, 64),
    calls: whole('budget-calls', values['budget-calls']),
    tokens: whole('budget-tokens', values['budget-tokens']),
    cost: amount('budget-cost', values['budget-cost']),
    minutes: amount('budget-minutes', values['budget-minutes']),
    nodes: whole('budget-nodes', values['budget-nodes'], 1000),
    language: values.language,
    from: values.from,
    to: values.to,
    allowedDomains: values['allow-domain'],
    blockedDomains: values['block-domain'],
  }
  const json = values.json === true || values.format === 'json'
  return { request, files: values.file ?? [], out: values.out, db: values.db, json }
}

function whole(name: string, word: string | undefined, most = 1_000_000_000): number | undefined {
  if (word === undefined) return undefined
  const value = Number(word)
  if (/^\d+$/.test(word) && value >= 1 && value <= most) return value
  throw new UsageError(`--${name} is "${word}".`, `It is a whole number from 1 to ${most}.`)
}

function amount(name: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const value = Number(word)
  if (/^\d+(\.\d+)?$/.test(word) && value > 0) return value
  throw new UsageError(`--${name} is "${word}".`, 'It is a number above 0.')
}
