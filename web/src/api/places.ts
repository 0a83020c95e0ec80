/** Reads places: `browse` gives the entries, `get` the indexed text. */

import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Answer, call } from './call.ts'
import { operationQuery } from './client.ts'
import { type Place, placeOf, uriOf } from './place.ts'

type BrowseAnswer = Answer<'browse'>

export type Entry = BrowseAnswer['entries'][number]

/** Content of a place: a folder with its entries, or a file. */
export interface PlaceContent {
  readonly place: Place
  readonly kind: 'folder' | 'file'
  /** Folders first, each kind by name. For a file, only the file. */
  readonly entries: readonly Entry[]
  /** Whether more entries are loading. */
  readonly isPartial?: true
}

/** Maximum entries of a page. The first page is small, so that it arrives fast. */
const PAGES = { first: 1_000, rest: 10_000 }

/** The content of a place. A large folder is read page by page. */
export function placeQuery(place: Place) {
  return queryOptions({
    queryKey: ['place', place] as const,
    queryFn: ({ signal, client, queryKey }) => readPlace(place, signal, (loaded) => showPart(client, queryKey, loaded)),
  })
}

/** Caches a part of a folder. A complete answer in the cache stays until the new answer is complete. */
function showPart(client: QueryClient, key: readonly unknown[], loaded: PlaceContent): void {
  const before = client.getQueryData<PlaceContent>(key)
  if (before === undefined || before.isPartial) client.setQueryData(key, loaded)
}

/** `onPart` is called with the entries read so far. */
async function readPlace(
  place: Place,
  signal: AbortSignal,
  onPart: (loaded: PlaceContent) => void,
): Promise<PlaceContent> {
  const entries: Entry[] = []
  let next: string | undefined
  for (let limit = PAGES.first; ; limit = PAGES.rest) {
    const input = { place: uriOf(place), limit, ...(next !== undefined && { after: next }) }
    const page = await call('browse', input, signal)
    if (page.file) return { place, kind: 'file', entries: [{ ...page.file, kind: 'file' }] }
    entries.push(...page.entries)
    next = page.next
    if (next === undefined) return { place, kind: 'folder', entries: foldersFirst(entries) }
    onPart({ place, kind: 'folder', entries: foldersFirst(entries), isPartial: true })
  }
}

function foldersFirst(entries: readonly Entry[]): Entry[] {
  const isFolder = ({ kind }: Entry) => kind === 'directory'
  return [...entries.filter(isFolder), ...entries.filter((entry) => !isFolder(entry))]
}

export function usePlaceContent(place: Place) {
  return useQuery(placeQuery(place))
}

/** Why an entry is outdated or missing in the index; undefined if its index is current. */
export function problemOf({ kind, isIndexed, isStale, detail }: Entry): string | undefined {
  if (detail !== undefined) return detail
  if (isStale) return 'It was changed since it was indexed.'
  return kind === 'file' && isIndexed === false ? 'It is not indexed yet.' : undefined
}

/** A file in the index. */
export function useDocument(place: Place, isIndexed = true) {
  return useQuery({ ...operationQuery('get', { path: uriOf(place) }), enabled: isIndexed })
}

/** The indexed text of a file; null if the file is not indexed. Line numbers of search results refer to this text. */
export function useIndexedText(place: Place, isWanted: boolean) {
  return useQuery({
    queryKey: ['text', place] as const,
    enabled: isWanted,
    queryFn: async ({ client }) => {
      const { entries } = await client.ensureQueryData(placeQuery(place))
      if (!entries[0]?.isIndexed) return null
      return (await client.fetchQuery(operationQuery('get', { path: uriOf(place) }))).text
    },
  })
}

export interface Description {
  /** The described place. An empty collection means everything. */
  readonly place: Place
  readonly text: string
  readonly updatedAt: string
}

/** Descriptions that apply to a place, the most general first. */
export function useDescriptions(place: Place) {
  return useQuery({ ...operationQuery('contexts.list', {}), select: ({ contexts }) => descriptionsOf(contexts, place) })
}

function descriptionsOf(contexts: Answer<'contexts.list'>['contexts'], { collection, path }: Place): Description[] {
  return contexts
    .filter((each) => each.collection === null || each.collection === collection)
    .map(({ collection, pathPrefix, context, updatedAt }) => ({
      place: placeOf(collection ?? '', pathPrefix),
      text: context,
      updatedAt,
    }))
    .filter(({ place }) => place.path === '' || path === place.path || path.startsWith(`${place.path}/`))
    .sort((a, b) => depthOf(a.place) - depthOf(b.place))
}

function depthOf({ collection, path }: Place): number {
  return collection === '' ? -1 : path === '' ? 0 : path.split('/').length
}
