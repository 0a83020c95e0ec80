/** Shows a model what is at a place, as XML elements. */

import type { PlaceReader } from '../../context/place-reader.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { frameTag, frameText } from '../../text/frames.ts'

export type DiskDirectory = ReturnType<PlaceReader['openProject']>
type ReadText = Awaited<ReturnType<PlaceReader['read']>>
type Listing = Awaited<ReturnType<PlaceReader['browse']>>
type Hits = Awaited<ReturnType<PlaceReader['search']>>

export interface ElementParts {
  /** An element that lists places with their citation numbers. */
  numbered(places: readonly string[]): string
  /** Called with the absolute path of a file that was read. */
  touch(path: string): void
}

export function noticeElement(text: string): string {
  return frameText({ tag: 'notice', attributes: {}, text })
}

export function hitsElement(query: string, { hits, notices }: Hits, { numbered }: ElementParts): string {
  const attributes = { query: oneLine(query), mode: 'lexical', total: String(hits.length), shown: String(hits.length) }
  const frames = hits.map(({ uri, title, lines: { start: firstLine, end }, text }) => {
    const attributes = { uri, title: oneLine(title), lines: `${firstLine}-${end}` }
    return frameText({ tag: 'hit', attributes, text, firstLine })
  })
  const results = `${frameTag('results', attributes)}\n${frames.join('')}</results>\n`
  return `${numbered(hits.map(({ uri }) => uri))}${results}${notices.map(noticeElement).join('')}`
}

export function textElement({ uri, path, ...read }: ReadText, { numbered }: ElementParts): string {
  return `${numbered([uri])}${documentElement({ uri, path: `/${path}` }, read, read.notices)}`
}

function documentElement(
  names: Readonly<Record<string, string>>,
  { text, lines }: Pick<ReadText, 'text' | 'lines'>,
  notices: readonly string[],
): string {
  const attributes = { ...names, lines: `${lines.start}-${lines.end}`, total: `${lines.total}` }
  return frameText({ tag: 'document', attributes, text, firstLine: lines.start }) + notices.map(noticeElement).join('')
}

export function listingElement(listing: Listing): string {
  const rows = listing.package ? packageRows(listing) : browsedRows(listing)
  const cutNotice = listing.next === undefined ? [] : ['… and more: list one of its directories']
  const text = [...rows, ...cutNotice].join('\n') || 'There is nothing here.'
  return frameText({ tag: 'listing', attributes: { uri: listing.uri ?? '' }, text })
}

function packageRows({ entries }: Listing): string[] {
  return entries.map(({ name, kind, files = 0, size }) =>
    kind === 'directory'
      ? `${oneLine(name)}/  ${countNoun(files, 'file')}`
      : `${oneLine(name)}  ${size === undefined ? '' : formatBytes(size)}`,
  )
}

function browsedRows({ entries, file, collection, path }: Listing): string[] {
  // A row begins with the name of the collection, so that the model can give the row to other tools as a path.
  const directory = file ? path.slice(0, path.lastIndexOf('/') + 1) : path && `${path}/`
  const prefix = collection === null ? '' : oneLine(`${collection}/${directory}`)
  return [...(file ? [{ kind: 'file' as const, ...file }] : []), ...entries].map((entry) => {
    const about = 'context' in entry && entry.context !== undefined ? `  [${oneLine(entry.context)}]` : ''
    if (entry.kind === 'directory') return `${prefix}${oneLine(entry.name)}/${about}`
    const state = entry.why === undefined ? oneLine(entry.title ?? '') : `${entry.why}: ${oneLine(entry.detail ?? '')}`
    return `${prefix}${oneLine(entry.name)}  ${formatBytes(entry.size ?? 0)}  ${state}${about}`.trimEnd()
  })
}

export function diskFileElement(
  directory: DiskDirectory,
  { path, lines }: { path: string; lines: string | undefined },
  { numbered, touch }: ElementParts,
): string {
  const { path: filename, warnings: notices, ...file } = directory.read(path, lines)
  touch(filename)
  return `${numbered([filename])}${documentElement({ filename }, file, notices)}`
}

export function diskListingElement(directory: DiskDirectory, path: string): string {
  const { path: listed, entries, total } = directory.list(path)
  const rows = entries.map(({ name, kind }) => `${oneLine(name)}${kind === 'directory' ? '/' : ''}`)
  const cutNotice = total > entries.length ? [`… ${total - entries.length} more`] : []
  return frameText({ tag: 'listing', attributes: { path: listed }, text: [...rows, ...cutNotice].join('\n') })
}
