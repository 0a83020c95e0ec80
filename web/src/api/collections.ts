/** What the UI asks of collections, and does with them. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Answer, call, type Input } from './call.ts'
import { asked, forget } from './client.ts'
import { follow, type Progress } from './follow.ts'

export type Collection = Answer<'status'>['collections'][number]

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
  | 'collections.pause'
  | 'collections.resume'
  | 'contexts.add'
  | 'contexts.remove'

/** Does something, after which everything is asked anew. */
export function useDoing<One extends Quick>(name: One) {
  return useMutation({ mutationFn: (input: Input<One>) => call(name, input), onSettled: forget })
}

/** Indexing of one collection: whether it runs, how far it is, and what went wrong. */
export function useIndexing(name: string) {
  const [progress, setProgress] = useState<Progress>()
  const stopping = useRef<AbortController>(undefined)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      stopping.current = new AbortController()
      const { collections } = await follow(
        'index',
        { names: [name] },
        { tell: setProgress, signal: stopping.current.signal },
      )
      const problem = collections.find((each) => each.problem !== undefined)?.problem
      if (problem !== undefined) throw new Error(problem)
    },
    onSettled: () => {
      setProgress(undefined)
      return forget()
    },
  })
  return { start: () => mutate(), stop: () => stopping.current?.abort(), isRunning: isPending, progress, error }
}
