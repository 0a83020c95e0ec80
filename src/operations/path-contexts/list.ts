import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import { uriOf } from '../../text/collection-uri.ts'
import { oneLine } from '../../text/controls.ts'
import { framedContext } from '../../text/frames.ts'
import { array, object } from '../schema.ts'
import { context, inline } from './described.ts'
import type { ContextsEngine, PathContextAnswers } from './engine.ts'

const input = {
  format: {
    is: 'choice',
    of: ['text', 'xml'],
    default: 'text',
    forText: true,
    description: 'the format: lines by collection, or xml for prompts',
  },
} as const

export type ContextsListAnswer = { readonly contexts: PathContextAnswers['list'] }

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
  text: ({ contexts }, asked) => {
    if (asked?.format === 'xml') return contexts.map(contextElement).join('')
    if (contexts.length === 0) return 'There are no path contexts yet.\n'
    const groups = Map.groupBy(contexts, ({ collection }) => collection)
    return [...groups].map(([collection, said]) => group(collection, said)).join('\n')
  },
  notices: ({ contexts }) => (contexts.length === 0 ? ['Add one: ambit context add COLLECTION TEXT'] : []),
}

/** Where it was said, as a source is named; what holds everywhere is at the root of all. */
export function contextUri({ collection, pathPrefix }: ContextsListAnswer['contexts'][number]): string {
  return collection === null ? 'ambit://' : uriOf({ collection, path: pathPrefix.slice(1) })
}

function contextElement(said: ContextsListAnswer['contexts'][number]): string {
  return framedContext({ uri: contextUri(said) }, said.context)
}

function group(collection: string | null, said: ContextsListAnswer['contexts']): string {
  const lines = said.map(({ pathPrefix, context }) => `  ${oneLine(pathPrefix)}\t${inline(context)}\n`)
  return `${collection === null ? 'Everywhere' : oneLine(collection)}\n${lines.join('')}`
}
