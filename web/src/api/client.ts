import { keepPreviousData, type Query, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { call, Failure, type Input, type ReadOperation } from './call.ts'

/** Retries before an unreachable server is reported. */
const MOST_RETRIES = 2
/** Milliseconds between two checks whether the server is back. */
const POLL_MS = 2_000

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => void (isUnreachable(error) && waitForServer()) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isUnreachable(error) && failures < MOST_RETRIES,
      retryDelay: 300,
      refetchOnWindowFocus: ({ state: { error } }) => !isUnreachable(error),
      // A server on this machine answers without a network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export function isUnreachable(error: unknown): boolean {
  return error instanceof Failure && error.isUnreachable
}

/** Queries of the page that failed because the server is unreachable. */
const UNREACHED = { type: 'active', predicate: ({ state }: Query) => isUnreachable(state.error) } as const

let isWaiting = false

/**
 * Polls until the server is back, then refetches the failed queries. An earlier refetch would clear the errors until it
 * fails, and the page would flicker.
 */
async function waitForServer(): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  do await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  while (client.getQueryCache().findAll(UNREACHED).length > 0 && (document.hidden || !(await isServerUp())))
  isWaiting = false
  await client.refetchQueries(UNREACHED)
}

/** Whether the server answers, even with an error. */
export function isServerUp(): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) } as const
  return fetch('/healthz', options).then(
    () => true,
    () => false,
  )
}

/** The query of a reading operation. One answer is cached for each input. */
export function operationQuery<One extends ReadOperation>(name: One, input: Input<One>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => call(name, input, signal) })
}

/** Like `operationQuery`, but keeps the answer to the previous input until the new answer arrives. */
export function steadyQuery<One extends ReadOperation>(name: One, input: Input<One>) {
  return queryOptions({ ...operationQuery(name, input), placeholderData: keepPreviousData })
}

/** Refetches everything: collections, files and descriptions may have changed. */
export function refetchAll(): Promise<void> {
  return client.invalidateQueries()
}
