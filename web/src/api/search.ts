import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Answer, call, type Input } from './call.ts'

type SearchAnswer = Answer<'search'>

/**
 * A search while the person types. Without results, the last word may be unfinished, so it is searched as a prefix. The
 * previous results stay until the new ones arrive.
 */
export function searchQuery(input: Input<'search'>) {
  return queryOptions({
    queryKey: ['search', input] as const,
    queryFn: ({ signal }) => searchUnfinished(input, signal),
    placeholderData: keepPreviousData,
  })
}

async function searchUnfinished(input: Input<'search'>, signal: AbortSignal): Promise<SearchAnswer> {
  const answer = await call('search', input, signal)
  const endsWithWord = /(^|\s)[\p{L}\p{N}_]{2,}$/u.test(input.query)
  if (answer.results.length > 0 || !endsWithWord) return answer
  return call('search', { ...input, query: `${input.query}*` }, signal)
}

/** Like `searchQuery`, but page by page. `size`: results of each page after the first; `most`: results of all pages. */
export function pagedSearchQuery(
  input: Input<'search'>,
  { size, most }: { readonly size: number; readonly most: number },
) {
  return infiniteQueryOptions({
    queryKey: ['search pages', input] as const,
    initialPageParam: { offset: 0, query: input.query },
    queryFn: ({ pageParam: { offset, query }, signal }) =>
      offset === 0
        ? searchUnfinished(input, signal)
        : call('search', { ...input, query, offset, limit: size, facets: false }, signal),
    getNextPageParam: ({ query, total }, pages) => {
      const offset = pages.reduce((sum, { results }) => sum + results.length, 0)
      const isEnd = offset >= Math.min(total, most) || pages.at(-1)?.results.length === 0
      return isEnd ? undefined : { offset, query }
    },
    placeholderData: keepPreviousData,
  })
}
