import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { object, text } from '../schema.ts'
import type { ContextsEngine } from './engine.ts'

const input = {} as const

/** Collections and contexts as a file. */
export const exportContexts: Operation<ContextsEngine, InputOf<typeof input>, { readonly yaml: string }> = {
  name: 'contexts.export',
  command: 'context export',
  summary: 'Print all collections and path contexts as YAML for "context import"',
  effect: 'read',
  examples: [{ command: 'ambit context export > contexts.yml', does: 'save them, or move them to another machine' }],
  input: defineInputs(input),
  output: () => object({ yaml: text }),
  run: async (engine) => ({ yaml: await (await engine.contexts()).exportTo() }),
  text: ({ yaml }) => yaml,
}
