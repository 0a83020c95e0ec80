import { defineInputs } from '../../core/define-inputs.ts'
import { WHYS } from '../../core/flow.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { BrowseAnswer, Engine } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { array, count, flag, object, oneOf, text, textOrNull } from '../schema.ts'

const input = {
  place: {
    is: 'path',
    path: 'collection',
    placeholder: 'PLACE',
    description:
      'a collection, a bucket as s3://…, a data package, or a directory or file in one; default all collections',
  },
  limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'maximum number of entries' },
  after: { is: 'text', placeholder: 'NEXT', description: 'continue at "next" of the previous page' },
} as const

/** What is known of a file in the index. */
const state = {
  'docid?': text,
  'title?': text,
  'isStale?': flag,
  'why?': oneOf(...WHYS),
  'detail?': text,
}

const entry = () =>
  object({
    name: text,
    kind: oneOf('directory', 'file', 'other'),
    'size?': count,
    'modifiedAt?': text,
    'documents?': count,
    'files?': count,
    'isIndexed?': flag,
    ...state,
    'context?': text,
  })

const file = () =>
  object({ name: text, size: count, modifiedAt: text, etag: text, 'version?': text, isIndexed: flag, ...state })

/** What a place holds right now. */
export const browse: Operation<Engine, InputOf<typeof input>, BrowseAnswer> = {
  name: 'browse',
  summary: 'List the files of a place in a collection, also those that are not indexed',
  effect: 'read',
  positional: ['place'],
  examples: [
    { command: 'ambit browse docs', does: 'list directories and files; say which are not indexed, and why' },
    { command: 'ambit browse docs/api/errors.md', does: 'show the details of a file' },
    { command: 'ambit browse docs/team/results', does: 'list the entries of a data package' },
    { command: 'ambit browse s3://bucket/2026', does: 'list a directory of a bucket that is not a collection' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      collection: textOrNull,
      path: text,
      uri: textOrNull,
      bucket: textOrNull,
      contexts: array(object({ scope: oneOf('global', 'collection', 'path'), prefix: text, text })),
      entries: array(entry()),
      'next?': text,
      'file?': file(),
      'package?': object({ name: text, hash: text }),
      'choice?': text,
    }),
  run: async (engine, request, run) => (await engine.looking()).browse(request, run),
  text: ({ collection, uri, path, entries, file: one, package: named }) => {
    const rowOf = named || collection === null ? plainRow : entryRow
    const rows = [
      ...(one
        ? [rowOf({ kind: 'file', ...one, name: collection === null ? (uri ?? path) : `${collection}/${path}` })]
        : []),
      ...entries.map(rowOf),
    ]
    return rows.length === 0 ? 'There is nothing here yet.\n' : alignRows(rows, [1])
  },
  notices: ({ next, entries, choice }) => [
    ...(choice === undefined ? [] : [choice]),
    ...(next === undefined ? [] : [`${entries.length} are shown: --after ${quoteShell(next)} shows more.`]),
  ],
}

function entryRow(one: BrowseAnswer['entries'][number]): string[] {
  const { name, kind, size = 0, documents = 0, context } = one
  const about = context === undefined ? '' : `[${oneLine(context)}]`
  if (kind === 'directory') return [`${oneLine(name)}/`, countNoun(documents, 'document'), leftReason(one) || about]
  return [oneLine(name), kind === 'file' ? formatBytes(size) : '', entryState(one), about]
}

/** Of a place that no index knows. */
function plainRow(one: BrowseAnswer['entries'][number]): string[] {
  const { name, kind, size, files, documents } = one
  if (kind !== 'directory') return [oneLine(name), size === undefined ? '' : formatBytes(size), leftReason(one)]
  const ofPackage = files === undefined ? '' : countNoun(files, 'file')
  const held = documents === undefined ? ofPackage : countNoun(documents, 'document')
  return [`${oneLine(name)}/`, held, one.context === undefined ? '' : `[${oneLine(one.context)}]`]
}

function entryState(one: BrowseAnswer['entries'][number]): string {
  if (!one.isIndexed) return leftReason(one) || 'not indexed yet'
  return one.isStale ? 'changed since it was indexed' : oneLine(one.title ?? '')
}

function leftReason({ why, detail = '' }: BrowseAnswer['entries'][number]): string {
  return why === undefined ? '' : `${why}: ${oneLine(detail)}`
}
