import { type ContextsCheck, contextsCheckAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { inline, placeName } from './described.ts'

/** Finds collections and folders that nothing was said of. */
export const checkContextsOperation = defineOperation({
  name: 'contexts.check',
  command: 'context check',
  summary: 'Find collections and folders without a path context, and path contexts of places that are gone',
  effect: 'read',
  examples: [
    { command: 'ambit context check', does: 'exit with 1 when a collection has no path context' },
    { command: 'ambit context check --strict', does: 'exit with 1 for top-level folders, too' },
  ],
  tool: {
    name: 'context_check',
    set: 'context',
    about: 'Collections and folders without a path context, and path contexts of places that are gone',
    inputs: { strict: 'folders, too' },
  },
  inputs: {
    strict: { is: 'flag', default: false, description: 'fail for folders without a path context, too' },
  },
  output: contextsCheckAnswer,
  run: async (engine, { strict }, { signal }) => ({ ...(await (await engine.contexts()).check(signal)), strict }),
  text: (answer) => checkText(answer) || 'All collections and their folders have a path context.\n',
  failed: ({ collections, paths, strict }) => collections.length > 0 || (strict && paths.length > 0),
})

/** Folders of a collection that has no context at all are not named: the collection comes first. */
function checkText({ collections, paths, stale }: ContextsCheck): string {
  const bare = new Set(collections.map(({ name }) => name))
  const folders = paths.filter(({ collection }) => !bare.has(collection))
  const parts = [
    ...titledSection(
      'Collections without a path context:',
      collections.map(({ name, documents, suggestion }) => todo(name, documents, suggestion)),
    ),
    ...titledSection(
      'Folders without a path context:',
      folders.map(({ collection, path, documents, suggestion }) =>
        todo(`${collection}/${path}`, documents, suggestion),
      ),
    ),
    ...titledSection(
      'Path contexts of places without documents:',
      stale.map(
        ({ collection, pathPrefix, context }) => `  ${placeName(collection, pathPrefix)}\t${inline(context)}\n`,
      ),
    ),
  ]
  return parts.join('\n')
}

function titledSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.join('')}`]
}

function todo(place: string, documents: number, suggestion: string): string {
  return `  ${oneLine(place)}\t${countNoun(documents, 'document')}\t${oneLine(suggestion)}\n`
}
