import { object, text } from '../../core/answer.ts'
import {
  addedContext,
  type ContextsCheck,
  contextsCheckAnswer,
  type ImportAnswer,
  importAnswer,
  type PathContextsAnswer,
  pathContextsAnswer,
  removedContext,
} from '../../engine/engine.ts'
import { uriOf } from '../../text/collection-uri.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { frameContext } from '../../text/frames.ts'
import { defineOperation, offByDefault, textFormat } from '../schema.ts'

/** The ways to write the place of a path context. */
const PLACE_FORMS =
  'COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk within a collection, or / for everything'

/** A place in a sentence: `docs/api`, `docs`, or `everything`. */
function placeName(collection: string | null, pathPrefix: string): string {
  if (collection === null) return 'everything'
  return oneLine(pathPrefix === '/' ? collection : `${collection}${pathPrefix}`)
}

/** A text in one line, with one space for each run of white space. */
function unwrapText(text: string): string {
  return oneLine(text.replace(/\s+/g, ' '))
}

const OUTCOMES = ['added', 'updated', 'unchanged', 'skipped'] as const

export const pathContextOperations = {
  add: defineOperation({
    name: 'contexts.add',
    summary: 'Set the path context of a place: say what it is for',
    effect: 'write',
    positional: ['path', 'text'],
    examples: {
      "ambit context add docs 'The manual of the product'": 'describe a whole collection',
      "ambit context add docs/api/v2 'The interface that is current'": 'describe a path in it',
      "ambit context add 'All texts are in British English'": 'describe everything',
      'ambit context add / docs': 'describe everything by the text "docs", which without "/" would be a place',
    },
    tool: {
      name: 'context_add',
      set: 'context',
      about: 'Set the path context of a place: say what it is for',
      inputs: { path: 'COLLECTION/PATH, a path on disk, or / for everything', text: 'what it is for' },
    },
    inputs: {
      path: { is: 'path', path: 'collection', description: `${PLACE_FORMS}; default /` },
      text: { is: 'text', required: true, description: 'what the place is for, up to 8192 characters' },
    },
    output: addedContext,
    run: async (engine, { path = '/', text }) => (await engine.contexts()).add(path, text),
    runTyped: async (engine, { path, text }) => {
      const contexts = await engine.contexts()
      return path === undefined ? contexts.addEverywhere(text) : contexts.add(path, text)
    },
    text: ({ collection, pathPrefix, createdAt, updatedAt }) =>
      `${createdAt === updatedAt ? 'Added' : 'Changed'} the path context of ${placeName(collection, pathPrefix)}.\n`,
    notices: ({ notice }) => (notice === undefined ? [] : [notice]),
  }),

  list: defineOperation({
    name: 'contexts.list',
    summary: 'List path contexts',
    effect: 'read',
    examples: { 'ambit context list': 'list the global one first, then by collection and path' },
    tool: {
      name: 'context_list',
      set: 'context',
      about: 'The path contexts: what people wrote about collections and paths',
      inputs: {},
    },
    inputs: { format: textFormat('the format: lines by collection, or xml for prompts') },
    output: pathContextsAnswer,
    run: async (engine) => ({ contexts: await (await engine.contexts()).list() }),
    text: ({ contexts }, request) => {
      if (request?.format === 'xml')
        return contexts.map((one) => frameContext({ uri: contextUri(one) }, one.context)).join('')
      if (contexts.length === 0) return 'There are no path contexts yet.\n'
      const groups = Map.groupBy(contexts, ({ collection }) => collection)
      return [...groups].map(([collection, group]) => groupText(collection, group)).join('\n')
    },
    notices: ({ contexts }) => (contexts.length === 0 ? ['Add one: ambit context add COLLECTION TEXT'] : []),
  }),

  check: defineOperation({
    name: 'contexts.check',
    summary: 'Find collections and folders without a path context, and path contexts of places that are gone',
    effect: 'read',
    examples: {
      'ambit context check': 'exit with 1 when a collection has no path context',
      'ambit context check --strict': 'exit with 1 for top-level folders, too',
    },
    tool: {
      name: 'context_check',
      set: 'context',
      about: 'Collections and folders without a path context, and path contexts of places that are gone',
      inputs: { strict: 'folders, too' },
    },
    inputs: { strict: offByDefault('fail for folders without a path context, too') },
    output: contextsCheckAnswer,
    run: async (engine, { strict }, { signal }) => ({ ...(await (await engine.contexts()).check(signal)), strict }),
    text: (answer) => checkText(answer) || 'All collections and their folders have a path context.\n',
    failed: ({ collections, paths, strict }) => collections.length > 0 || (strict && paths.length > 0),
  }),

  remove: defineOperation({
    name: 'contexts.remove',
    summary: 'Remove the path context of a place',
    effect: 'write',
    positional: ['path'],
    examples: {
      'ambit context remove docs/api': 'remove the path context of a path; path contexts below it stay',
      'ambit context remove /': 'remove the global one',
    },
    tool: {
      name: 'context_remove',
      set: 'context',
      about: 'Remove the path context of a place',
      inputs: { path: 'COLLECTION/PATH, a path on disk, or / for everything' },
      destructive: true,
    },
    inputs: { path: { is: 'path', path: 'collection', required: true, description: PLACE_FORMS } },
    output: removedContext,
    run: async (engine, { path }) => (await engine.contexts()).removeKnown(path),
    text: ({ collection, pathPrefix }) => `Removed the path context of ${placeName(collection, pathPrefix)}.\n`,
  }),

  import: defineOperation({
    name: 'contexts.import',
    summary: "Import collections and path contexts from a YAML file, such as qmd's",
    effect: 'write',
    scope: 'admin',
    positional: ['file'],
    examples: {
      'ambit context import ~/.config/qmd/index.yml':
        'keep existing collections; replace the path contexts that the file sets',
    },
    inputs: {
      file: { is: 'file', required: true, description: "a YAML file of collections and path contexts, such as qmd's" },
    },
    output: importAnswer,
    run: async (engine, { file }, { signal }) => (await engine.contexts()).importFile(file, signal),
    text: (answer) => {
      const lines = OUTCOMES.flatMap((outcome) => answer[outcome].map((item) => importLine(outcome, item)))
      return lines.join('') || 'There is nothing in it.\n'
    },
  }),

  export: defineOperation({
    name: 'contexts.export',
    summary: 'Print all collections and path contexts as YAML for "context import"',
    effect: 'read',
    examples: { 'ambit context export > contexts.yml': 'save them, or move them to another machine' },
    inputs: {},
    output: () => object({ yaml: text }),
    run: async (engine) => ({ yaml: await (await engine.contexts()).exportTo() }),
    text: ({ yaml }) => yaml,
  }),
}

/** URI of the place of a path context; `ambit://` for the global one. */
export function contextUri({ collection, pathPrefix }: PathContextsAnswer['contexts'][number]): string {
  return collection === null ? 'ambit://' : uriOf({ collection, path: pathPrefix.slice(1) })
}

function groupText(collection: string | null, contexts: PathContextsAnswer['contexts']): string {
  const lines = contexts.map(({ pathPrefix, context }) => `  ${oneLine(pathPrefix)}\t${unwrapText(context)}\n`)
  return `${collection === null ? 'Everywhere' : oneLine(collection)}\n${lines.join('')}`
}

/** The report of a check. It does not list the folders of a collection that has no path context itself. */
function checkText({ collections, paths, stale }: ContextsCheck): string {
  const undescribedNames = new Set(collections.map(({ name }) => name))
  const folders = paths.filter(({ collection }) => !undescribedNames.has(collection))
  const collectionLines = collections.map(({ name, documents, suggestion }) => missingLine(name, documents, suggestion))
  const folderLines = folders.map((one) => missingLine(`${one.collection}/${one.path}`, one.documents, one.suggestion))
  const staleLines = stale.map((one) => `  ${placeName(one.collection, one.pathPrefix)}\t${unwrapText(one.context)}\n`)
  const sections = Object.entries({
    'Collections without a path context:': collectionLines,
    'Folders without a path context:': folderLines,
    'Path contexts of places without documents:': staleLines,
  })
  return sections.flatMap(([title, lines]) => (lines.length > 0 ? [`${title}\n${lines.join('')}`] : [])).join('\n')
}

function missingLine(place: string, documents: number, suggestion: string): string {
  return `  ${oneLine(place)}\t${countNoun(documents, 'document')}\t${oneLine(suggestion)}\n`
}

function importLine(outcome: (typeof OUTCOMES)[number], { kind, name, why }: ImportAnswer['added'][number]): string {
  return `${outcome}\t${kind}\t${oneLine(name)}${why === undefined ? '' : `\t${oneLine(why)}`}\n`
}
