/** Who is signed in, and what they may. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Name, reached } from './call.ts'

export interface Me {
  /** `''` for whoever runs the server. */
  readonly name: string
  readonly isOwner: boolean
  readonly scopes: readonly string[]
  readonly collections: readonly string[] | null
  readonly operations: readonly string[]
}

/** It is another after a new sign-in, which is a new page. */
export const meAsked = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me> => (await reached(new Request('/api/me'), { signal })).json(),
  staleTime: 60_000,
})

/**
 * Whether the scopes of who is signed in allow an operation. Until that is known, no; where it cannot be known, yes: the
 * server refuses what it has to.
 */
export function useMay(name: Name): boolean {
  const { data, isError } = useQuery(meAsked)
  return data ? data.operations.includes(name) : isError
}

/** Ends the session of this browser, and shows how to begin another. */
export async function signOut(): Promise<void> {
  await fetch('/logout', { method: 'POST', redirect: 'manual' })
  window.location.assign('/')
}
