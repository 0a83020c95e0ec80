import { resolve } from 'node:path'
import { type BrowseAnswer, browseAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { countLimit, defineOperation } from '../schema.ts'

export const browse = defineOperation({
  name: 'browse',
  summary: 'List the files of a place in a collection, also those that are not indexed',
  effect: 'read',
  positional: ['place'],
  examples: {
    'ambit browse docs': 'list directories and files; say which are not indexed, and why',
    'ambit browse docs/api/errors.md': 'show the details of a file',
    'ambit browse docs/team/results': 'list the entries of a data package',
    'ambit browse s3://bucket/2026': 'list a directory of a bucket that is not a collection',
    'ambit browse --disk ~/project --match usrctl': 'find files on disk by a part of their names',
  },
  inputs: {
    place: {
      is: 'path',
      path: 'collection',
      placeholder: 'PLACE',
      description:
        'a collection, a bucket as s3://…, a data package, or a directory or file in one; default all collections',
    },
    limit: countLimit(1000, 10_000, 'maximum number of entries'),
    disk: {
      is: 'path',
      path: 'disk',
      placeholder: 'DIRECTORY',
      description: 'list a directory on disk instead, to choose a collection or a file from it',
    },
    match: {
      is: 'text',
      placeholder: 'LETTERS',
      description:
        'with --disk: list files at any depth by letters of their paths in order: usrctl finds user-controller.ts',
    },
    after: { is: 'text', placeholder: 'NEXT', description: 'continue at "next" of the previous page' },
  },
  output: browseAnswer,
  run: async (engine, { disk, match, ...request }, run) => {
    if (disk === undefined) return (await engine.placeReader()).browse(request, run)
    const folder = await engine.folder({ place: resolve(disk), match, limit: request.limit }, run)
    return { collection: null, uri: null, bucket: null, contexts: [], entries: [], ...folder }
  },
  text: ({ collection, uri, path, entries, file: ownFile, package: revision, directories, files = [] }, request) => {
    if (directories) {
      const names = request?.match === undefined ? directories.map(({ name }) => `${name}/`) : []
      return [...names, ...files].map((name) => `${oneLine(name)}\n`).join('') || 'There is nothing here.\n'
    }
    const rowOf = revision || collection === null ? plainRow : entryRow
    const name = collection === null ? (uri ?? path) : `${collection}/${path}`
    const rows = [...(ownFile ? [rowOf({ kind: 'file', ...ownFile, name })] : []), ...entries.map(rowOf)]
    return rows.length === 0 ? 'There is nothing here yet.\n' : alignRows(rows, [1])
  },
  notices: ({ next, entries, choice }) => [
    ...(choice === undefined ? [] : [choice]),
    ...(next === undefined ? [] : [`${entries.length} are shown: --after ${quoteShell(next)} shows more.`]),
  ],
})

function entryRow(entry: BrowseAnswer['entries'][number]): string[] {
  const { name, kind, size = 0, documents = 0, context } = entry
  const label = context === undefined ? '' : `[${oneLine(context)}]`
  if (kind === 'directory') return [`${oneLine(name)}/`, countNoun(documents, 'document'), leftReason(entry) || label]
  return [oneLine(name), kind === 'file' ? formatBytes(size) : '', entryState(entry), label]
}

/** The row of an entry of a place that is not indexed. */
function plainRow(entry: BrowseAnswer['entries'][number]): string[] {
  const { name, kind, size, files, documents } = entry
  if (kind !== 'directory') return [oneLine(name), size === undefined ? '' : formatBytes(size), leftReason(entry)]
  const fileCount = files === undefined ? '' : countNoun(files, 'file')
  const content = documents === undefined ? fileCount : countNoun(documents, 'document')
  return [`${oneLine(name)}/`, content, entry.context === undefined ? '' : `[${oneLine(entry.context)}]`]
}

function entryState(entry: BrowseAnswer['entries'][number]): string {
  if (!entry.isIndexed) return leftReason(entry) || 'not indexed yet'
  return entry.isStale ? 'changed since it was indexed' : oneLine(entry.title ?? '')
}

function leftReason({ why, detail = '' }: BrowseAnswer['entries'][number]): string {
  return why === undefined ? '' : `${why}: ${oneLine(detail)}`
}
