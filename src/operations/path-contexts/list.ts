import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { oneLine } from '../../text/controls.ts'
import { array, object } from '../schema.ts'
import { context, inline } from './described.ts'
import type { ContextsEngine, PathContextAnswers } from './engine.ts'

const input = {} as const

type ContextsListAnswer = { readonly contexts: PathContextAnswers['list'] }

/** What was said of places. */
export const listContexts: Operation<ContextsEngine, InputOf<typeof input>, ContextsListAnswer> = {
  name: 'contexts.list',
  command: 'context list',
  summary: 'List path contexts',
  effect: 'read',
  examples: [{ command: 'ambit context list', does: 'list the global one first, then by collection and path' }],
  tool: {
    name: 'context_list',
    set: 'context',
    about: 'The path contexts: what people wrote about collections and paths',
    inputs: {},
  },
  input: defineInputs(input),
  output: () => object({ contexts: array(object(context)) }),
  run: async (engine) => ({ contexts: await (await engine.contexts()).list() }),
  text: ({ contexts }) => {
    if (contexts.length === 0) return 'There are no path contexts yet.\n'
    const groups = Map.groupBy(contexts, ({ collection }) => collection)
    return [...groups].map(([collection, said]) => group(collection, said)).join('\n')
  },
  notices: ({ contexts }) => (contexts.length === 0 ? ['Add one: ambit context add COLLECTION TEXT'] : []),
}

function group(collection: string | null, said: ContextsListAnswer['contexts']): string {
  const lines = said.map(({ pathPrefix, context }) => `  ${oneLine(pathPrefix)}\t${inline(context)}\n`)
  return `${collection === null ? 'Everywhere' : oneLine(collection)}\n${lines.join('')}`
}
