/** Inputs and answers described as JSON Schema: plain data, since every command loads it at its start. */

import { ContextError } from '../core/errors.ts'
import type { JsonSchema, Schema } from '../core/operation.ts'
import { WHYS } from '../core/why.ts'

/** One input: a word, a whole number, a switch, or a list of words. */
export interface Property extends JsonSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  readonly description: string
  /** It must be given. */
  readonly isRequired?: true
}

type ValueOf<One extends Property> = One extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : One extends { readonly type: 'integer' | 'number' }
    ? number
    : One extends { readonly type: 'boolean' }
      ? boolean
      : One extends { readonly type: 'array' }
        ? readonly string[]
        : string

type Properties = Readonly<Record<string, Property>>
type Preset<All extends Properties> = {
  [Name in keyof All]: 'default' extends keyof All[Name] ? Name : 'isRequired' extends keyof All[Name] ? Name : never
}[keyof All]

/** What the inputs are once checked: those with a default and those required are there, the others may be absent. */
export type Inputs<All extends Properties> = {
  readonly [Name in Preset<All>]: ValueOf<All[Name]>
} & { readonly [Name in Exclude<keyof All, Preset<All>>]?: ValueOf<All[Name]> }

/** A flat object of inputs as a schema: nothing else is taken, and defaults are filled in. */
export function inputsOf<const All extends Properties>(properties: All): Schema<Inputs<All>> {
  return {
    parse: (value) => checked(properties, value) as Inputs<All>,
    json: () => described(properties),
  }
}

function described(properties: Properties): JsonSchema {
  const entries = Object.entries(properties)
  const required = entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
  const plain = entries.map(([name, { isRequired: _, ...schema }]) => [name, schema] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(plain),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  }
}

function checked(properties: Properties, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('The input must be an object.')
  const given = new Map(Object.entries(value).filter(([, each]) => each !== undefined))
  const stranger = [...given.keys()].find((name) => !Object.hasOwn(properties, name))
  if (stranger !== undefined) {
    throw invalid(`There is no input called ${stranger}.`, `Inputs: ${Object.keys(properties).join(', ')}.`)
  }
  const values = Object.entries(properties).map(([name, property]) => {
    const each = given.has(name) ? given.get(name) : property.default
    const problem = each === undefined ? absenceOf(property) : problemOf(each, property)
    if (problem) throw invalid(`${name} ${problem}.`)
    return [name, each] as const
  })
  return Object.fromEntries(values.filter(([, each]) => each !== undefined))
}

function absenceOf({ isRequired }: Property): string | undefined {
  return isRequired ? 'is missing' : undefined
}

function invalid(message: string, hint = 'The schema of the inputs says what each may be.'): ContextError {
  return new ContextError('invalid-input', message, { hint })
}

/** What is wrong with a value, to be read after its name; undefined when nothing is. */
function problemOf(value: unknown, schema: JsonSchema): string | undefined {
  const { type, enum: words, items = {} } = schema
  if (words && !words.includes(value)) return `must be one of ${words.join(', ')}`
  if (type === 'integer') return Number.isSafeInteger(value) ? rangeProblem(value, schema) : 'must be a whole number'
  if (type === 'number') return Number.isFinite(value) ? rangeProblem(value, schema) : 'must be a number'
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (type === 'string') return typeof value === 'string' ? formProblem(value, schema) : 'must be a text'
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (!isList) return 'must be a list of texts'
  return value.map((each) => problemOf(each, { ...items, type: 'string' })).find((problem) => problem !== undefined)
}

function rangeProblem(value: unknown, { minimum = -Infinity, maximum = Infinity }: JsonSchema): string | undefined {
  if (Number(value) < minimum) return `must be at least ${minimum}`
  return Number(value) > maximum ? `must be at most ${maximum}` : undefined
}

function formProblem(value: string, { pattern, examples = [] }: JsonSchema): string | undefined {
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined
  return `is ${JSON.stringify(value.slice(0, 100))}, and must be written like ${examples.join(' or ')}`
}

/** Inputs that several operations share: said once, described once. */
export const inputs = {
  place: { type: 'string', default: '.', placeholder: 'PATH', description: 'a directory, or a file in it' },
  /** Where it need not be on disk. */
  anyPlace: {
    type: 'string',
    default: '.',
    placeholder: 'PLACE',
    description: 'a directory or a file on disk, collection/path, or quilt+s3://bucket#package=namespace/name',
  },
  touched: {
    type: 'array',
    items: { type: 'string' },
    placeholder: 'PATH',
    description: 'a path that the agent read or wrote',
  },
  home: { type: 'boolean', default: true, description: "the user's own instruction files" },
  budget: {
    type: 'integer',
    minimum: 1,
    description: 'most tokens of the text; default 8000, of what is not on disk none',
  },
  task: { type: 'string', description: 'what the agent is about to do; text about it is kept first' },
  profile: {
    type: 'string',
    enum: ['ambit', 'codex', 'claude', 'gemini', 'cursor', 'copilot', 'kodelet'],
    description: 'load as this tool would; default ambit',
  },
  order: {
    type: 'string',
    enum: ['specific-first', 'general-first'],
    description: 'which instruction files are printed first',
  },
  tokens: { type: 'string', enum: ['bytes4', 'o200k'], description: 'how tokens are counted; default bytes4' },
} as const satisfies Properties

/** An object in an answer. Names that end in `?` may be absent. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(properties)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
  }
}

export function array(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function words(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

export const text: JsonSchema = { type: 'string' }
export const count: JsonSchema = { type: 'integer' }
export const flag: JsonSchema = { type: 'boolean' }

/** Parts of answers that several operations share. */
export const warning = () => object({ path: text, message: text })
export const contextDir = (): JsonSchema => ({ ...object({ path: text, levels: count }), type: ['object', 'null'] })
/** What every answer about a place tells of its budget. */
export const budgeted = () => ({
  tokenCount: count,
  budget: { type: ['integer', 'null'] },
  truncated: flag,
  overBudget: flag,
  frameTokens: count,
})
/** What every answer about a place tells of what was considered. */
export const accounted = () => ({
  missing: array(text),
  missingRequired: array(text),
  warnings: array(warning()),
  ledger: array(ledgerRow()),
  digest: text,
})
export const ledgerRow = () =>
  object({
    uri: text,
    title: text,
    decision: words('kept', 'truncated', 'outline', 'left'),
    'why?': words(...WHYS),
    'detail?': text,
    'pass?': text,
    tokensBefore: count,
    tokensAfter: count,
  })
