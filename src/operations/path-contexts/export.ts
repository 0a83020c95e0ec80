import { object, text } from '../../core/answer.ts'
import { defineOperation } from '../schema.ts'

/** Collections and contexts as a file. */
export const exportContexts = defineOperation({
  name: 'contexts.export',
  command: 'context export',
  summary: 'Print all collections and path contexts as YAML for "context import"',
  effect: 'read',
  examples: [{ command: 'ambit context export > contexts.yml', does: 'save them, or move them to another machine' }],
  inputs: {},
  output: () => object({ yaml: text }),
  run: async (engine) => ({ yaml: await (await engine.contexts()).exportTo() }),
  text: ({ yaml }) => yaml,
})
