/** What the UI asks of collections, and does with them. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type Answer, call, type Input } from './call.ts'
import { asked, forget } from './client.ts'

export type CollectionsStatus = Answer<'status'>
export type Collection = CollectionsStatus['collections'][number]

/** How often the state is asked for while something is indexed, which another process may do. Milliseconds. */
const INDEXING_MS = 3_000

export function useStatus() {
  return useQuery({
    ...asked('status', {}),
    refetchInterval: ({ state }) =>
      state.data?.collections.some(({ isIndexing }) => isIndexing) ? INDEXING_MS : false,
  })
}

/** What was said of places, and where nothing was. */
export function useContextsCheck() {
  return useQuery(asked('contexts.check', {}))
}

/** Operations on collections that are done in a moment. */
type Quick =
  | 'collections.add'
  | 'collections.rename'
  | 'collections.remove'
  | 'collections.set'
  | 'contexts.add'
  | 'contexts.remove'
  | 'settings.set'
  | 'token.create'
  | 'token.revoke'

/** Does something, after which everything is asked anew. */
export function useDoing<One extends Quick>(name: One) {
  return useMutation({ mutationFn: (input: Input<One>) => call(name, input), onSettled: forget })
}
