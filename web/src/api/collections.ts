/** Requests of the UI on collections. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type Answer, call, type Input, type Name, type ReadOperation } from './call.ts'
import { operationQuery, refetchAll } from './client.ts'

export type CollectionsStatus = Answer<'status'>
export type Collection = CollectionsStatus['collections'][number]

/** Milliseconds between polls while any process indexes. */
const INDEXING_MS = 3_000

export function useStatus() {
  return useQuery({
    ...operationQuery('status', {}),
    refetchInterval: ({ state }) =>
      state.data?.collections.some(({ isIndexing }) => isIndexing) ? INDEXING_MS : false,
  })
}

/** Places with and without a description. */
export function useContextsCheck() {
  return useQuery(operationQuery('contexts.check', {}))
}

/** A mutation that refetches every query after the operation. */
export function useOperation<One extends Exclude<Name, ReadOperation>>(name: One) {
  return useMutation({ mutationFn: (input: Input<One>) => call(name, input), onSettled: refetchAll })
}
