import { type BrowseAnswer, browseAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { defineOperation } from '../schema.ts'

/** What a place holds right now. */
export const browse = defineOperation({
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
  inputs: {
    place: {
      is: 'path',
      path: 'collection',
      placeholder: 'PLACE',
      description:
        'a collection, a bucket as s3://…, a data package, or a directory or file in one; default all collections',
    },
    limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, description: 'maximum number of entries' },
    after: { is: 'text', placeholder: 'NEXT', description: 'continue at "next" of the previous page' },
  },
  output: browseAnswer,
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
})

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
