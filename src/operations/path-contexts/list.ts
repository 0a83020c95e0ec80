import { type PathContextsAnswer, pathContextsAnswer } from '../../engine/engine.ts'
import { uriOf } from '../../text/collection-uri.ts'
import { oneLine } from '../../text/controls.ts'
import { framedContext } from '../../text/frames.ts'
import { defineOperation } from '../schema.ts'
import { inline } from './described.ts'

/** What was said of places. */
export const listContexts = defineOperation({
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
  inputs: {
    format: {
      is: 'choice',
      of: ['text', 'xml'],
      default: 'text',
      forText: true,
      description: 'the format: lines by collection, or xml for prompts',
    },
  },
  output: pathContextsAnswer,
  run: async (engine) => ({ contexts: await (await engine.contexts()).list() }),
  text: ({ contexts }, asked) => {
    if (asked?.format === 'xml') return contexts.map(contextElement).join('')
    if (contexts.length === 0) return 'There are no path contexts yet.\n'
    const groups = Map.groupBy(contexts, ({ collection }) => collection)
    return [...groups].map(([collection, said]) => group(collection, said)).join('\n')
  },
  notices: ({ contexts }) => (contexts.length === 0 ? ['Add one: ambit context add COLLECTION TEXT'] : []),
})

/** Where it was said, as a source is named; what holds everywhere is at the root of all. */
export function contextUri({ collection, pathPrefix }: PathContextsAnswer['contexts'][number]): string {
  return collection === null ? 'ambit://' : uriOf({ collection, path: pathPrefix.slice(1) })
}

function contextElement(said: PathContextsAnswer['contexts'][number]): string {
  return framedContext({ uri: contextUri(said) }, said.context)
}

function group(collection: string | null, said: PathContextsAnswer['contexts']): string {
  const lines = said.map(({ pathPrefix, context }) => `  ${oneLine(pathPrefix)}\t${inline(context)}\n`)
  return `${collection === null ? 'Everywhere' : oneLine(collection)}\n${lines.join('')}`
}
