import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Answer, call, type Input } from './call.ts'

/**
 * A search while one types: where nothing is found, the last word may not be finished, and what begins so is looked for.
 * The results before stay until the new ones are there.
 */
export function searched(input: Input<'search'>) {
  return queryOptions({
    queryKey: ['search', input] as const,
    queryFn: async ({ signal }): Promise<Answer<'search'>> => {
      const answer = await call('search', input, signal)
      const isOpen = /(^|\s)[\p{L}\p{N}_]{2,}$/u.test(input.query)
      if (answer.results.length > 0 || !isOpen) return answer
      return call('search', { ...input, query: `${input.query}*` }, signal)
    },
    placeholderData: keepPreviousData,
  })
}
