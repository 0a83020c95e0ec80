import type { Answer, Input } from '../../api/call.ts'
import type { HitPassage } from '../../ui/text-places.ts'

export type Result = Answer<'search'>['results'][number]

/** The request in the URL of the page. */
export type SearchRequest = ReturnType<typeof parseSearchRequest>

/** Number of results of a page, and the maximum of all pages. */
export const RESULTS = 20
export const MOST_RESULTS = 1_000

/** Maximum passages of a document. */
const PASSAGES = 6

/**
 * Parses the untrusted query of a URL. `c`: names of collections; `type`: extensions of file names; `path`: a glob; `after`: the
 * first day of changes; `n`: number of results.
 */
export function parseSearchRequest(search: unknown) {
  const { q, c, type, path, after, mode, sort, n } = Object(search) as Record<string, unknown>
  return {
    q: word(q),
    c: words(c),
    type: words(type),
    path: word(path),
    after: /^\d{4}-\d\d-\d\d$/.test(word(after)) ? word(after) : '',
    mode: (['lexical', 'vector', 'hybrid'] as const).find((each) => each === mode) ?? ('' as const),
    sort: (['changed', 'path'] as const).find((each) => each === sort) ?? ('' as const),
    n: /^\d{1,4}$/.test(word(n)) ? word(n) : undefined,
  }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function words(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(word).filter((one) => one !== '')
}

/** Whether the request has a filter. */
export function isNarrowed({ c, type, path, after }: SearchRequest): boolean {
  return c.length > 0 || type.length > 0 || path !== '' || after !== ''
}

export function searchInput({ q, c, type, path, after, mode, sort, n }: SearchRequest): Input<'search'> {
  return {
    query: q.trim(),
    limit: Math.min(MOST_RESULTS, Math.max(1, Number(n ?? RESULTS))),
    facets: true,
    sections: PASSAGES,
    ...(c.length > 0 && { collections: c }),
    ...(type.length > 0 && { types: type }),
    ...(path.trim() !== '' && { path: [path.trim()] }),
    ...(after !== '' && { after }),
    ...(mode !== '' && { mode }),
    ...(sort !== '' && { sort }),
  }
}

/** The passages of results, in the order of the results; within a result, the best first. */
export function passagesOf(results: readonly Result[]): readonly HitPassage[] {
  return results.flatMap(({ collection, path, lines, headings, sections = [] }) =>
    [{ lines, headings }, ...sections].map((passage) => ({
      ...{ collection, path },
      lines: passage.lines,
      headings: passage.headings,
    })),
  )
}
