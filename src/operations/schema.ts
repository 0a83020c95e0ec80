/** Inputs that several operations share, and words to describe answers with: plain data, since every command loads it at its start. */

import { PROFILE_FILE, PROFILE_NAMES } from '../core/choices.ts'
import { WHYS } from '../core/flow.ts'
import type { InputFields } from '../core/input.ts'
import type { JsonSchema } from '../core/operation.ts'

export const inputs = {
  place: {
    is: 'path',
    path: 'directory',
    default: '.',
    placeholder: 'PATH',
    description: 'a directory or a file',
  },
  /** Where it need not be on disk. */
  anyPlace: {
    is: 'path',
    path: 'place',
    default: '.',
    placeholder: 'PLACE',
    description: 'a directory or file on disk, COLLECTION/PATH, or quilt+s3://BUCKET#package=NAMESPACE/NAME',
  },
  touched: {
    is: 'path',
    path: 'disk',
    list: true,
    placeholder: 'PATH',
    description: 'a path that the agent has read or written',
  },
  home: { is: 'flag', default: true, description: 'your own instruction files' },
  budget: {
    is: 'integer',
    minimum: 1,
    description: 'maximum number of tokens; default 8000 for places on disk, unlimited for collections and packages',
  },
  task: { is: 'text', description: 'what the agent is about to do; relevant text is kept first' },
  profile: {
    is: 'path',
    path: 'profile',
    pattern: `^(?:${PROFILE_NAMES.join('|')})$|${PROFILE_FILE.source}`,
    examples: [...PROFILE_NAMES, './team.yaml'],
    placeholder: 'NAME',
    description: `load the files that this tool loads (${PROFILE_NAMES.join(', ')}), or use a profile in a YAML file; default ambit`,
  },
  order: {
    is: 'choice',
    of: ['specific-first', 'general-first'],
    description: 'which instruction files come first',
  },
  tokens: { is: 'choice', of: ['bytes4', 'o200k'], description: 'how to count tokens; default bytes4' },
} as const satisfies InputFields

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

export function oneOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

export const text: JsonSchema = { type: 'string' }
export const textOrNull: JsonSchema = { type: ['string', 'null'] }
export const count: JsonSchema = { type: 'integer' }
export const flag: JsonSchema = { type: 'boolean' }

/** Parts of answers that several operations share. */
export const warningSchema = () => object({ path: text, message: text })
export const contextDirSchema = (): JsonSchema => ({
  ...object({ path: text, levels: count }),
  type: ['object', 'null'],
})
/** What every answer about a place tells of its budget. */
export const budgetFields = () => ({
  tokenCount: count,
  budget: { type: ['integer', 'null'] },
  truncated: flag,
  overBudget: flag,
  frameTokens: count,
})
/** What every answer about a place tells of what was considered. */
export const accountFields = () => ({
  missing: array(text),
  missingRequired: array(text),
  warnings: array(warningSchema()),
  ledger: array(ledgerRow()),
  digest: text,
})
export const ledgerRow = () =>
  object({
    uri: text,
    title: text,
    kind: text,
    scope: text,
    'score?': { type: 'number', description: '0 to 1' },
    decision: oneOf('kept', 'truncated', 'outline', 'left'),
    'why?': oneOf(...WHYS),
    'detail?': text,
    'pass?': text,
    tokensBefore: count,
    tokensAfter: count,
  })
