/**
 * What the UI asks of places. All that depends on which operations tell of a place is in this file: today `ls` and `get`,
 * which know what is indexed.
 */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Answer, call } from './call.ts'
import { asked } from './client.ts'
import { type Place, placeOf, uriOf } from './place.ts'

/** Something in a folder. */
export interface Entry {
  readonly name: string
  readonly kind: 'directory' | 'file'
  /** In bytes. */
  readonly size?: number
  readonly modifiedAt?: string
  /** Of a file, where it says more than the name. */
  readonly title?: string
  /** Of a directory: files in it and below that are indexed. */
  readonly documents?: number
  /** What somebody said that it is for. */
  readonly context?: string
}

/** What a place is: a folder with what it holds, or a file. */
export interface Found {
  readonly place: Place
  readonly kind: 'folder' | 'file'
  /** Folders first, each kind by name. Of a file, itself alone. */
  readonly entries: readonly Entry[]
}

/** What is at a place. */
export function found(place: Place) {
  return queryOptions({
    queryKey: ['place', place] as const,
    queryFn: async ({ signal }) => foundIn(await call('ls', { place: uriOf(place) }, signal), place),
  })
}

export function useFound(place: Place) {
  return useQuery(found(place))
}

function foundIn({ directories, documents }: Answer<'ls'>, place: Place): Found {
  const [only] = documents
  const isFile = place.path !== '' && directories.length === 0 && documents.length === 1 && only?.path === place.path
  const folders = directories.map(({ path, documents, context }): Entry => {
    const about = context === undefined ? {} : { context }
    return { name: lastOf(path), kind: 'directory', documents, ...about }
  })
  const files = documents.map(({ path, bytes, modifiedAt, title }): Entry => {
    const name = lastOf(path)
    return { name, kind: 'file', size: bytes, modifiedAt, ...(title !== name && { title }) }
  })
  return { place, kind: isFile ? 'file' : 'folder', entries: [...folders, ...files] }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The text of a file, as it was indexed. */
export function useText(place: Place, isWanted = true) {
  return useQuery({ ...asked('get', { path: uriOf(place) }), enabled: isWanted })
}

/** Where the bytes of a file are. */
export function bytesOf({ collection, path }: Place): string {
  return `/files/${[collection, ...path.split('/')].map(encodeURIComponent).join('/')}`
}

/** What somebody said of a place. */
export interface Said {
  /** Where it was said; without a collection, of everything. */
  readonly place: Place
  readonly text: string
  readonly updatedAt: string
}

/** All that was said of a place and what it is in: the general first. */
export function useSaid(place: Place) {
  return useQuery({ ...asked('contexts.list', {}), select: ({ contexts }) => saidOf(contexts, place) })
}

function saidOf(contexts: Answer<'contexts.list'>['contexts'], { collection, path }: Place): Said[] {
  return contexts
    .filter((said) => said.collection === null || said.collection === collection)
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
