import { keepPreviousData, type Query, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { call, Failure, type Input, type Reading } from './call.ts'

/** Retries before an unreachable server is reported. */
const MOST_RETRIES = 2
/** How often it is tried then whether the server is back. Milliseconds. */
const POLL_MS = 2_000

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => void (isUnreachable(error) && waitForServer()) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isUnreachable(error) && failures < MOST_RETRIES,
      retryDelay: 300,
      refetchOnWindowFocus: ({ state: { error } }) => !isUnreachable(error),
      // Loopback works without a network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export function isUnreachable(error: unknown): boolean {
  return error instanceof Failure && error.isUnreachable
}

/** Queries that are looked at, and got no answer. */
const UNANSWERED = { type: 'active', predicate: ({ state }: Query) => isUnreachable(state.error) } as const

let isWaiting = false

/**
 * Knocks until the server is back, and asks then whatever it did not answer. The queries themselves are left alone
 * meanwhile: one that is asked again forgets its error until it fails again, and all of the page would blink.
 */
async function waitForServer(): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  do await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  while (client.getQueryCache().findAll(UNANSWERED).length > 0 && (document.hidden || !(await isServerUp())))
  isWaiting = false
  await client.refetchQueries(UNANSWERED)
}

/** Whether the server answers, whatever it says. */
export function isServerUp(): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(POLL_MS) } as const
  return fetch('/healthz', options).then(
    () => true,
    () => false,
  )
}

/** An operation that reads, as a query: one answer is kept for each input. */
export function operationQuery<One extends Reading>(name: One, input: Input<One>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => call(name, input, signal) })
}

/** As `operationQuery`; keeps the answer to the previous input until the new one arrives. */
export function steadyQuery<One extends Reading>(name: One, input: Input<One>) {
  return queryOptions({ ...operationQuery(name, input), placeholderData: keepPreviousData })
}

/** Refetches everything: collections, files and descriptions may have changed. */
export function refetchAll(): Promise<void> {
  return client.invalidateQueries()
}
