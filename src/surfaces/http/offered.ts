import { type JsonSchema, plainSchema } from '../../core/answer.ts'
import { type ContextError, invalidInput } from '../../core/errors.ts'
import { type HintInputs, rephraseHints } from '../../operations/command-hints.ts'
import type { AnyOperation } from '../../operations/index.ts'

/**
 * Operations as the API offers them: without inputs that only change how an answer is printed, and with requests instead of command lines in hints.
 * `named`: operations that hints may name. Default: `operations`.
 */
export function offeredOperations(operations: readonly AnyOperation[], named = operations): AnyOperation[] {
  return rephraseHints(operations.map(dataOnly), requestOf, named)
}

function dataOnly(operation: AnyOperation): AnyOperation {
  const { input } = operation
  const { properties = {}, ...rest } = input.json()
  const isForText = (name: string) => Object.hasOwn(properties, name) && properties[name]?.forText === true
  const kept = Object.entries(properties).filter(([name]) => !isForText(name))
  const schema: JsonSchema = { ...rest, properties: Object.fromEntries(kept) }
  const parse = (value: unknown) => {
    const stranger = Object.keys(Object(value)).find(isForText)
    if (stranger !== undefined) throw unknown(stranger, kept)
    return input.parse(value)
  }
  return kept.length === Object.keys(properties).length
    ? operation
    : { ...operation, input: { ...input, parse, json: () => schema } }
}

function unknown(name: string, kept: readonly (readonly [string, JsonSchema])[]): ContextError {
  const hint = `Inputs: ${kept.map(([known]) => known).join(', ')}. The answer is JSON.`
  return invalidInput(`There is no input called ${name}.`, hint)
}

/** `GET /api/ls?place=docs`, `POST /api/contexts.add with {"path":"docs","text":"TEXT"}`. */
function requestOf({ name, effect }: AnyOperation, inputs: HintInputs): string {
  const isBare = Object.keys(inputs).length === 0
  if (effect === 'write') return `POST /api/${name}${isBare ? '' : ` with ${JSON.stringify(inputs)}`}`
  const query = new URLSearchParams(
    Object.entries(inputs).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return `GET /api/${name}${isBare ? '' : `?${query}`}`
}

/** Schemas of an operation's inputs and answer in the API. */
export function schemasOf({ input, output }: AnyOperation): {
  readonly input: JsonSchema
  readonly output: JsonSchema
} {
  return { input: plainSchema(input.json()), output: plainSchema(output()) }
}
