import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import type { Operation } from '../../src/core/operation.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/stores/store.ts'

/** Runs an operation over a store as a surface does, and holds the answer against the operation's own schema. */
export async function performed<Input, Output>(
  store: Store,
  operation: Operation<Engine, Input, Output>,
  given: object = {},
) {
  const engine = createEngine({ file: undefined, unknown: [], home: false }, { store: async () => store })
  return performedBy(engine, operation, given)
}

export async function performedBy<Input, Output>(
  engine: Engine,
  operation: Operation<Engine, Input, Output>,
  given: object = {},
) {
  const input = operation.input.parse(given)
  const output = await operation.run(engine, input, SILENT)
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  expect(ajv.validate(operation.output(), JSON.parse(JSON.stringify(output))), ajv.errorsText()).toBe(true)
  const notices = operation.notices?.(output, input) ?? []
  return { output, text: operation.text(output, input), notices, failed: operation.failed?.(output) ?? false }
}
