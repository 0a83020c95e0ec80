import { plainSchema } from '../../core/answer.ts'
import { defineInputs } from '../../core/define-inputs.ts'
import { type HintInputs, rephraseHints } from '../../operations/command-hints.ts'
import type { AnyOperation } from '../../operations/index.ts'

/**
 * Operations as the API offers them: without inputs that only change how an answer is printed. Hints name requests instead of
 * command lines. `hintOperations`: operations that hints may name. Default: `operations`.
 */
export function apiOperations(operations: readonly AnyOperation[], hintOperations = operations): AnyOperation[] {
  return rephraseHints(operations.map(withoutTextInputs), requestText, hintOperations)
}

function withoutTextInputs(operation: AnyOperation): AnyOperation {
  const fields = Object.entries(operation.input.fields).filter(([, { forText = false }]) => !forText)
  return { ...operation, input: defineInputs(Object.fromEntries(fields)) }
}

/** Examples: `GET /api/ls?place=docs`, `POST /api/contexts.add with {"path":"docs","text":"TEXT"}`. */
function requestText({ name, effect }: AnyOperation, inputs: HintInputs): string {
  const entries = Object.entries(inputs)
  const hasNoInputs = entries.length === 0
  if (effect === 'write') return `POST /api/${name}${hasNoInputs ? '' : ` with ${JSON.stringify(inputs)}`}`
  const query = new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)]))
  return `GET /api/${name}${hasNoInputs ? '' : `?${query}`}`
}

/** Schemas of an operation's inputs and answer in the API. */
export function schemasOf({ input, output }: AnyOperation) {
  return { input: plainSchema(input.json()), output: plainSchema(output()) }
}
