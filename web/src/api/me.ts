/** The signed-in person, and their scopes. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson, type Name } from './call.ts'
import { client } from './client.ts'

export interface Me {
  /** `''` for the owner of the server. */
  readonly name: string
  readonly isOwner: boolean
  readonly scopes: readonly string[]
  readonly collections: readonly string[] | null
  readonly operations: readonly string[]
  /** Folders that the server serves; empty if the person may not add collections. */
  readonly roots: readonly string[]
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => fetchJson<Me>('/api/me', { signal }),
  staleTime: 60_000,
})

/**
 * Whether the person's scopes allow an operation. False until the scopes are loaded; true if loading fails, because the
 * server checks the scopes anyway.
 */
export function useMay(name: Name): boolean {
  const { data, isError } = useQuery(meQuery)
  return data ? data.operations.includes(name) : isError
}

/** Makes a URL that signs in another browser as this person, once. The previous URL stops working. @throws Failure */
export async function makeLink(): Promise<string> {
  const { path } = await fetchJson<{ readonly path: string }>('/api/link', { method: 'POST' })
  return `${window.location.origin}${path}`
}

export interface SignedInBrowser {
  readonly id: string
  /** `''` for the owner of the server. */
  readonly name: string
  readonly by: 'link' | 'token' | 'provider'
  /** Such as `Firefox on Linux`; `''` if it is unknown. */
  readonly device: string
  readonly usedAt?: string
  readonly expiresAt: string
  /** Whether this entry is the browser that shows the page. */
  readonly isThis: boolean
}

type Browsers = Readonly<Record<'browsers', readonly SignedInBrowser[]>>

/** The signed-in browsers. Only the owner of the server may read them. */
export const browsersQuery = queryOptions({
  queryKey: ['browsers'],
  queryFn: ({ signal }) => fetchJson<Browsers>('/api/browsers', { signal }),
})

/** Signs another browser out. @throws Failure */
export async function endBrowser(id: string): Promise<void> {
  const address = `/api/browsers?${new URLSearchParams({ end: id })}`
  client.setQueryData(browsersQuery.queryKey, await fetchJson<Browsers>(address, { method: 'POST' }))
}

/** Signs this browser out, and shows how to sign in. */
export async function signOut(): Promise<void> {
  await fetch('/logout', { method: 'POST', redirect: 'manual' })
  window.location.assign('/')
}
