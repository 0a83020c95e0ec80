/** Requests of the UI on packages. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Answer, call } from './call.ts'
import { operationQuery } from './client.ts'
import type { PackageAt } from './place.ts'

export type PackageName = Answer<'packages.list'>['packages'][number]
export type FoundPackage = Answer<'packages.search'>['packages'][number]
export type Revision = Answer<'packages.log'>['revisions'][number]
export type Child = Answer<'packages.ls'>['children'][number]
export type Change = Answer<'packages.diff'>['changes'][number]
export type Verified = Answer<'packages.verify'>

/** The place of a package as an input of operations. */
export function packagePlace({ registry, namespace, name, hash }: PackageAt): string {
  return `${registry}/${namespace}/${name}${hash === undefined ? '' : `@${hash}`}`
}

/** Parses a place such as `lab/team/data`. Undefined for any other form. */
export function parsePackagePlace(place: string): PackageAt | undefined {
  const [registry, namespace, name, ...rest] = place.split('/')
  if (registry === undefined || namespace === undefined || name === undefined || rest.length > 0) return undefined
  return { registry, namespace, name }
}

/** The packages of all collections. The server cuts long lists; each next page continues one of them. */
export function usePackages() {
  return useInfiniteQuery({
    queryKey: ['packages.list', 'all'] as const,
    queryFn: ({ pageParam, signal }) => call('packages.list', pageParam ?? {}, signal),
    initialPageParam: undefined as Answer<'packages.list'>['more'][number] | undefined,
    // `more` has the lists that the server cut. All pages together are a queue: each page continues the next list.
    getNextPageParam: (_, pages) => pages.flatMap(({ more }) => more)[pages.length - 1],
  })
}

/** Milliseconds to wait after the last key, because a search reads the manifest of each package. */
const PAUSE_MS = 300

/** The packages whose names, messages, metadata or paths have all the words. */
export function usePackageSearch(words: string) {
  return useQuery({
    queryKey: ['packages.search', words] as const,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      return call('packages.search', { words: words.split(/\s+/), limit: 1000 }, signal)
    },
    enabled: words.length > 1,
  })
}

export function usePackage(place: string) {
  return useQuery(operationQuery('packages.show', { package: place }))
}

/** Maximum number of revisions in an answer. */
const REVISIONS = 200

export function useRevisions(at: PackageAt) {
  const { hash: _, ...latest } = at
  return useQuery(operationQuery('packages.log', { package: packagePlace(latest), limit: REVISIONS }))
}

/** Maximum number of entries in a page: a few hundred kilobytes. */
const PAGE = 2000

/** Entries of a directory of a package, page by page. */
export function useEntries(place: string, path: string) {
  return useInfiniteQuery({
    queryKey: ['packages.ls', place, path] as const,
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam === undefined ? {} : { after: pageParam }
      return call('packages.ls', { package: place, limit: PAGE, ...after, ...(path !== '' && { path }) }, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
}

/** Maximum number of listed changes. */
const CHANGES = 10_000

export function useDiff(before: string, after: string) {
  return useQuery(operationQuery('packages.diff', { before, after, limit: CHANGES }))
}
