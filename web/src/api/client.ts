import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import { call, Failure, type Input, type Reading } from './call.ts'

/** Times that an unreachable server is asked again before that is said; then it is asked every two seconds. */
const TRIES = 2
const AGAIN = 2_000

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => error instanceof Failure && error.code === 'unreachable' && failures < TRIES,
      retryDelay: 300,
      // Loopback is there without any network.
      networkMode: 'always',
      refetchInterval: ({ state: { error } }) => (isAway(error) ? AGAIN : false),
    },
    mutations: { networkMode: 'always' },
  },
})

function isAway(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unreachable'
}

/** An operation that reads, as a query: one answer is kept for each input. */
export function asked<One extends Reading>(name: One, input: Input<One>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => call(name, input, signal) })
}

/** As `asked`; the answer to the input before stays until the new one is there. */
export function askedOn<One extends Reading>(name: One, input: Input<One>) {
  return queryOptions({ ...asked(name, input), placeholderData: keepPreviousData })
}

/** What was told of collections, files and contexts may not be true any more. */
export function forget(): Promise<void> {
  return client.invalidateQueries()
}
