/** Inputs as JSON Schema, and the validation of their values. */

import type { JsonSchema } from './answer.ts'
import { BOUNDS } from './bounds.ts'
import { invalidInput, quoteValue } from './errors.ts'
import type { Input, InputFields, InputOf } from './input.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { Schema, ServiceCommand } from './operation.ts'

/** The schema of a flat object of inputs. `parse` refuses names that are not in `fields`, and fills in defaults. */
export function defineInputs<const All extends InputFields>(fields: All): Schema<InputOf<All>> {
  const json = () => describeInputs(fields)
  const parse = (value: unknown) => {
    const inputs = checkInputs(json(), value)
    for (const [name, field] of Object.entries(fields)) checkPathLength(name, field, inputs[name])
    return inputs as InputOf<All>
  }
  return { fields, parse, json }
}

/** @throws ContextError `invalid-input` for a path that is longer than any real path: a lookup would visit each of its directories. */
function checkPathLength(name: string, field: Input, value: unknown): void {
  // One value of the path kind `documents` may list many paths.
  if (field.is !== 'file' && (field.is !== 'path' || field.path === 'documents')) return
  const isLong = (path: unknown) => String(path).length > BOUNDS.pathInput
  if (![value ?? []].flat().some(isLong)) return
  throw invalidInput(`${name} must have at most ${BOUNDS.pathInput} characters.`, 'Give a shorter path.')
}

export function defineService<const Name extends string, const Fields extends InputFields>({
  inputs: fields,
  ...rest
}: Omit<ServiceCommand<Name, InputOf<Fields>>, 'input'> & { readonly inputs: Fields }): ServiceCommand<
  Name,
  InputOf<Fields>
> {
  return { ...rest, input: defineInputs(fields) }
}

/** Inputs that limit an answer. `preset`: the default limits, for the descriptions. */
export function limitInputs(preset: Readonly<Record<'calls' | 'tokens' | 'minutes', number>>) {
  return {
    calls: { is: 'integer', minimum: 1, description: `maximum number of model requests; default ${preset.calls}` },
    tokens: { is: 'integer', minimum: 1, description: `maximum number of tokens; default ${preset.tokens}` },
    cost: {
      is: 'number',
      minimum: 0.000001,
      placeholder: 'USD',
      description: 'maximum cost in US dollars, for models whose price is known',
    },
    minutes: { is: 'number', minimum: 0.001, description: `maximum time in minutes; default ${preset.minutes}` },
  } as const
}

function describeInputs(fields: InputFields): JsonSchema {
  const entries = Object.entries(fields)
  const required = entries.flatMap(([name, field]) => (field.required ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, describeInput(field)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  }
}

/** An input as JSON Schema, with the keywords that only the command line uses. The keys are always in this order. */
function describeInput(field: Input): JsonSchema {
  const { default: preset, short, forText, placeholder, description } = field
  return omitUndefined({ ...describeValue(field), default: preset, short, forText, placeholder, description })
}

function describeValue(field: Input): JsonSchema {
  switch (field.is) {
    case 'flag':
      return { type: 'boolean' }
    case 'integer':
    case 'number':
      return omitUndefined({ type: field.is, minimum: field.minimum, maximum: field.maximum })
    default: {
      const { list, pattern, examples } = field
      const choices = field.is === 'choice' ? field.of : undefined
      const wordSchema = omitUndefined({ type: 'string', enum: choices, pattern, examples })
      return list ? { type: 'array', items: wordSchema } : wordSchema
    }
  }
}

function checkInputs({ properties = {}, required = [] }: JsonSchema, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput('The input must be an object.', SCHEMA_HINT)
  const presentValues = new Map(Object.entries(value).filter(([, each]) => each !== undefined))
  const unknownName = [...presentValues.keys()].find((name) => !Object.hasOwn(properties, name))
  if (unknownName !== undefined) {
    throw invalidInput(`There is no input called ${unknownName}.`, `Inputs: ${Object.keys(properties).join(', ')}.`)
  }
  const values = Object.entries(properties).map(([name, property]) => {
    const inputValue = presentValues.has(name) ? presentValues.get(name) : property.default
    const absence = required.includes(name) ? 'is missing' : undefined
    const problem = inputValue === undefined ? absence : valueProblem(inputValue, property)
    if (problem) throw invalidInput(`${name} ${problem}.`, SCHEMA_HINT)
    return [name, inputValue] as const
  })
  return Object.fromEntries(values.filter(([, each]) => each !== undefined))
}

const SCHEMA_HINT = 'The schema of the inputs says what each may be.'

/** What is wrong with a value, as the end of a sentence that begins with the name of the input; undefined for a valid value. */
function valueProblem(value: unknown, schema: JsonSchema): string | undefined {
  const { type, enum: choices, items = {} } = schema
  if (choices && !choices.includes(value)) return `must be one of ${choices.join(', ')}`
  if (type === 'integer') return Number.isSafeInteger(value) ? rangeProblem(value, schema) : 'must be a whole number'
  if (type === 'number') return Number.isFinite(value) ? rangeProblem(value, schema) : 'must be a number'
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (type === 'string') return typeof value === 'string' ? formProblem(value, schema) : 'must be a text'
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (!isList) return 'must be a list of texts'
  if (value.length > BOUNDS.list) return `must have at most ${BOUNDS.list} values, and has ${value.length}`
  return value.map((each) => valueProblem(each, items)).find((problem) => problem !== undefined)
}

function rangeProblem(value: unknown, { minimum = -Infinity, maximum = Infinity }: JsonSchema): string | undefined {
  if (Number(value) < minimum) return `must be at least ${minimum}`
  return Number(value) > maximum ? `must be at most ${maximum}` : undefined
}

/** At most this many examples show the syntax of a value. A longer list of examples is the list of all valid values. */
const FEW_EXAMPLES = 6

function formProblem(value: string, { pattern, examples = [] }: JsonSchema): string | undefined {
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined
  if (examples.length > FEW_EXAMPLES) return `must be one of ${examples.join(', ')}`
  return `is ${quoteValue(value)}, and must be written like ${examples.join(' or ')}`
}
