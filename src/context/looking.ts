/** Files that need be in no index: what is on disk around a person, and what there is to read, list and search at any place. */

import type { BrowseAnswer, BrowseRequest } from '../collections/browse-answer.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { openDirectory } from '../files/directory.ts'
import { type PageText, pageText } from '../ingest/page-text.ts'
import { entriesBelow } from '../quilt/found.ts'
import type { Within } from '../quilt/registries.ts'
import { fileUri } from '../text/citations.ts'
import { relativeTo } from '../text/paths.ts'
import { trimEnd } from '../text/trim.ts'
import { browsePlace } from './catalog/browse-place.ts'
import { LooseFiles } from './catalog/loose.ts'
import {
  type LocatedPlace,
  type PlaceListing,
  PlaceReader,
  type PlaceReaderParts,
  type PlaceText,
} from './catalog/place-reader.ts'
import { filesBelow, MOST_FOUND, type PlaceHits, type SearchedPlace, searchFiles } from './catalog/place-search.ts'
import { previewPlace, type ReadAttachment, readAttachment, type Seen } from './catalog/preview.ts'

/**
 * Looks at what is there. A place is `collection/path` or a URI: `ambit://…`, `s3://…`, `quilt+s3://…`. All throw ContextError:
 * `not-found` with what is near; `denied` for secrets, and for what may not be looked at; as reading does.
 */
export interface Looking {
  /** The files of the project that a place on disk is in. @throws ContextError `not-found`; `denied` for a system's own. */
  loose(place: string): LooseFiles
  /** A picture, or a PDF: at a place, or among `loose` files. */
  seen(place: string, loose: LooseFiles | undefined, signal: AbortSignal): Promise<Seen>
  /** A file that a person sent, as a model is given it. @throws ContextError `invalid-input`, `over-limit`. */
  attachment(
    file: { readonly name: string; readonly bytes: Uint8Array },
    isText: (mediaType: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadAttachment>
  /** The text of a page of a PDF. @throws ContextError `invalid-input`, `not-found`. */
  page(pdf: Seen, page: number, signal: AbortSignal): Promise<PageText>
  /** A text, or some of its lines: `10-20`, `10-` or `10`. */
  read(place: string, lines: string | undefined, signal: AbortSignal): Promise<PlaceText>
  /** A page of what a place holds; `after`: the last name of the page before. */
  list(place: string, after: string | undefined, signal: AbortSignal): Promise<PlaceListing>
  /** A page of what a place holds, with what the index knows of it. Without a place, the collections. */
  browse(request: BrowseRequest, run: Run): Promise<BrowseAnswer>
  /** The passages that fit best of the texts below a place. */
  search(place: string, query: string, signal: AbortSignal): Promise<PlaceHits>
  /** As `search`, below a directory on disk that `loose` files are of; `isKnown`: what is left out, by absolute paths. */
  searchDisk(files: LooseFiles, query: string, how: DiskSearch): Promise<PlaceHits>
}

export interface DiskSearch {
  readonly signal: AbortSignal
  isKnown(path: string): boolean
}

export function lookingOver(parts: PlaceReaderParts, within: Within = 'anywhere'): Looking {
  const reader = new PlaceReader(parts, within)
  return {
    loose: (place) => new LooseFiles(place),
    seen: (place, loose, signal) =>
      previewPlace(place, { file: (one) => reader.file(one, { ...SILENT, signal }), loose }),
    attachment: readAttachment,
    page: ({ place, bytes }, page, signal) => pageText(place, bytes, { page, signal }),
    read: (place, lines, signal) => reader.read(place, lines, { ...SILENT, signal }),
    list: (place, after, signal) => reader.list(place, after, { ...SILENT, signal }),
    browse: (request, run) => browsePlace(request, { reader, library: parts.library }, run),
    search: async (place, query, signal) => {
      const run = { ...SILENT, signal }
      return searchFiles(await placeFiles(reader, await reader.find(place, run), signal), query, run)
    },
    searchDisk: async (loose, query, { signal, isKnown }) => {
      const run = { ...SILENT, signal }
      return searchFiles(await diskFiles(loose, isKnown, signal), query, run)
    },
  }
}

async function placeFiles(reader: PlaceReader, place: LocatedPlace, signal: AbortSignal): Promise<SearchedPlace> {
  const run = { ...SILENT, signal }
  if ('found' in place) {
    const { found } = place
    const { entries, total } = await entriesBelow(found, trimEnd(place.path, '/'), { most: MOST_FOUND, signal })
    const files = entries.map((entry) => {
      return { path: entry.logicalKey, size: entry.size, open: () => reader.entryFile(found, entry, run) }
    })
    return { files, isCut: total > files.length }
  }
  const { registry, path } = place.at
  const { files, isCut } = await filesBelow(registry.objects, path, run)
  return {
    files: files.map(({ key, size }) => ({
      path: key,
      size,
      open: () => reader.objectFile({ registry, path: key }, run),
    })),
    isCut,
  }
}

async function diskFiles(
  loose: LooseFiles,
  isKnown: DiskSearch['isKnown'],
  signal: AbortSignal,
): Promise<SearchedPlace> {
  const { root, directory } = loose
  const objects = openDirectory(root)
  const run = { ...SILENT, signal }
  const { files, isCut } = await filesBelow(objects, relativeTo(root, directory) ?? '', run)
  const searched = files
    .filter(({ key }) => !isKnown(`${root}/${key}`))
    .map(({ key, size }) => {
      const file = { uri: fileUri(`${root}/${key}`), stream: () => objects.stream(key, { signal }) }
      return { path: key, size, open: async () => file }
    })
  return { files: searched, isCut }
}
