/** The signed-in person, and their scopes. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchOrThrow, type Name } from './call.ts'
import { client } from './client.ts'

export interface Me {
  /** `''` for the owner of the server. */
  readonly name: string
  readonly isOwner: boolean
  readonly scopes: readonly string[]
  readonly collections: readonly string[] | null
  readonly operations: readonly string[]
  /** Folders that are served, for those who may add collections. */
  readonly roots: readonly string[]
}

/** It is another after a new sign-in, which is a new page. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me> => (await fetchOrThrow(new Request('/api/me'), { signal })).json(),
  staleTime: 60_000,
})

/**
 * Whether the scopes of who is signed in allow an operation. Until that is known, no; where it cannot be known, yes: the
 * server refuses what it has to.
 */
export function useMay(name: Name): boolean {
  const { data, isError } = useQuery(meQuery)
  return data ? data.operations.includes(name) : isError
}

/** An address that signs another browser in as this person, once. The one made before is good no more. @throws Failure */
export async function makeLink(): Promise<string> {
  const { path } = await (await fetchOrThrow(new Request('/api/link', { method: 'POST' }))).json()
  return `${window.location.origin}${path}`
}

/** A browser that is signed in. */
export interface SignedInBrowser {
  readonly id: string
  /** `''` for the owner of the server. */
  readonly name: string
  readonly by: 'link' | 'token' | 'provider'
  /** Such as `Firefox on Linux`; `''` where it does not tell. */
  readonly device: string
  readonly usedAt?: string
  readonly expiresAt: string
  readonly isThis: boolean
}

/** Only for the owner of the server. */
export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: async ({ signal }): Promise<readonly SignedInBrowser[]> => browsersIn(new Request('/api/browsers'), signal),
})

/** Signs another browser out. @throws Failure */
export async function endBrowser(id: string): Promise<void> {
  const request = new Request(`/api/browsers?${new URLSearchParams({ end: id })}`, { method: 'POST' })
  client.setQueryData(browsersQuery.queryKey, await browsersIn(request))
}

async function browsersIn(request: Request, signal?: AbortSignal): Promise<readonly SignedInBrowser[]> {
  return (await (await fetchOrThrow(request, signal && { signal })).json()).browsers
}

/** Ends the session of this browser, and shows how to begin another. */
export async function signOut(): Promise<void> {
  await fetch('/logout', { method: 'POST', redirect: 'manual' })
  window.location.assign('/')
}
