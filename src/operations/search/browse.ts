import { defineInputs } from '../../core/define-inputs.ts'
import { WHYS } from '../../core/flow.ts'
import type { InputOf } from '../../core/input.ts'
import type { JsonSchema, Operation } from '../../core/operation.ts'
import type { BrowseAnswer, Engine } from '../../engine/engine.ts'
import { aligned } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counts.ts'
import { array, count, flag, object, text, words } from '../schema.ts'

const input = {
  place: {
    is: 'path',
    path: 'collection',
    placeholder: 'PLACE',
    description: 'a collection, or a directory or file in one; default all collections',
  },
  limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'most entries' },
  after: { is: 'text', placeholder: 'NEXT', description: 'go on there: what the page before gave as next' },
} as const

const textOrNull: JsonSchema = { type: ['string', 'null'] }

/** What is known of a file in the index. */
const state = {
  'docid?': text,
  'title?': text,
  'isStale?': flag,
  'why?': words(...WHYS),
  'detail?': text,
}

const entry = () =>
  object({
    name: text,
    kind: words('directory', 'file', 'other'),
    'size?': count,
    'modifiedAt?': text,
    'documents?': count,
    'isIndexed?': flag,
    ...state,
    'context?': text,
  })

const file = () =>
  object({ name: text, size: count, modifiedAt: text, etag: text, 'version?': text, isIndexed: flag, ...state })

/** What a place holds right now. */
export const browse: Operation<Engine, InputOf<typeof input>, BrowseAnswer> = {
  name: 'browse',
  summary: 'List what a place in a collection holds right now, whether it is indexed or not',
  effect: 'read',
  positional: ['place'],
  examples: [
    { command: 'ambit browse docs', does: 'its directories and files, and which of them are not indexed, and why' },
    { command: 'ambit browse docs/api/errors.md', does: 'what is known of a file' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      collection: textOrNull,
      path: text,
      uri: textOrNull,
      bucket: textOrNull,
      contexts: array(object({ scope: words('global', 'collection', 'path'), prefix: text, text })),
      entries: array(entry()),
      'next?': text,
      'file?': file(),
    }),
  run: async (engine, request, run) => (await (await engine.library()).browser()).browse(request, run),
  text: ({ collection, path, entries, file: one }) => {
    const rows = [...(one ? [row({ kind: 'file', ...one, name: nameOf(collection, path) })] : []), ...entries.map(row)]
    return rows.length === 0 ? 'There is nothing here yet.\n' : aligned(rows, [1])
  },
  notices: ({ next, entries }) => (next === undefined ? [] : [`${entries.length} are shown: --after ${next} goes on.`]),
}

function nameOf(collection: string | null, path: string): string {
  return collection === null ? path : `${collection}/${path}`
}

function row(one: BrowseAnswer['entries'][number]): string[] {
  const { name, kind, size = 0, documents = 0, context } = one
  const about = context === undefined ? '' : `[${oneLine(context)}]`
  if (kind === 'directory') return [`${oneLine(name)}/`, counted(documents, 'document'), reasonOf(one) || about]
  return [oneLine(name), kind === 'file' ? sized(size) : '', stateOf(one), about]
}

function stateOf(one: BrowseAnswer['entries'][number]): string {
  if (!one.isIndexed) return reasonOf(one) || 'not indexed yet'
  return one.isStale ? 'changed since it was indexed' : oneLine(one.title ?? '')
}

function reasonOf({ why, detail = '' }: BrowseAnswer['entries'][number]): string {
  return why === undefined ? '' : `${why}: ${oneLine(detail)}`
}
