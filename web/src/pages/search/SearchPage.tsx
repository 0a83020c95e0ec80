import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import { useStatus } from '../../api/collections.ts'
import { pagedSearchQuery } from '../../api/search.ts'
import { useIsWide } from '../../frame/side.tsx'
import { choicesOf, Select } from '../../ui/Choice.tsx'
import { Form, SearchInput } from '../../ui/Field.tsx'
import { useDraft, useTitle } from '../../ui/hooks.ts'
import { plainPieces } from '../../ui/marked-pieces.ts'
import { usePart } from '../../ui/part.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Facets } from './Facets.tsx'
import { Hits, hitLinks } from './Hits.tsx'
import type { SearchRequest } from './search-request.ts'
import { isNarrowed, MOST_RESULTS, parseSearchRequest, RESULTS, searchInput } from './search-request.ts'

/** Searches while the person types. The URL has the request. */
export function SearchPage() {
  const request = parseSearchRequest(useSearch({ strict: false }))
  useTitle(request.q === '' ? 'Search' : `Search: ${request.q}`)
  const navigate = useNavigate()
  const ask = (next: Partial<SearchRequest>) =>
    navigate({ to: '/search', search: { ...request, n: undefined, ...next } as never, replace: true })
  const list = useRef<HTMLOListElement>(null)
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">Search</h1>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5">
        <Field query={request.q} onAsk={(q) => ask({ q })} onDown={() => hitLinks(list.current)[0]?.focus()} />
        <Orders request={request} onAsk={ask} />
      </div>
      {request.q.trim() === '' ? NOTHING : <Results request={request} onAsk={ask} list={list} />}
    </div>
  )
}

const ORDERS = choicesOf({ '': 'Relevance', changed: 'Last changed', path: 'Path' })
const MODES = choicesOf({ '': 'Words and meaning', lexical: 'Words', vector: 'Meaning' })

/** The order of the results and, if an embedding model is set, the mode of the search. */
function Orders({ request, onAsk }: Pick<ResultsProps, 'request' | 'onAsk'>) {
  const { data: status } = useStatus()
  const mode = request.mode === 'hybrid' ? '' : request.mode
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Select label="Sort by" value={request.sort} values={ORDERS} onChange={(sort) => onAsk({ sort })} />
      {status?.embedding && (
        <Select label="Find by" value={mode} values={MODES} onChange={(next) => onAsk({ mode: next })} />
      )}
    </div>
  )
}

/** Milliseconds after the last letter until the search. */
const DEBOUNCE_MS = 120

function Field({ query, onAsk, onDown }: { readonly query: string; onAsk(query: string): void; onDown(): void }) {
  const [text, setText] = useDraft(query, DEBOUNCE_MS, onAsk)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    onDown()
  }
  return (
    <Form role="search" className="flex min-w-0 max-w-3xl flex-1 basis-72" onSubmit={() => {}}>
      <SearchInput
        autoFocus
        aria-label="Search in the collections"
        placeholder={'Words, "phrases", -without, title:word, path:part, contains:"text"'}
        value={text}
        onText={setText}
        onKeyDown={onKeyDown}
      />
    </Form>
  )
}

interface ResultsProps {
  readonly request: SearchRequest
  readonly onAsk: (next: Partial<SearchRequest>) => void
  readonly list: RefObject<HTMLOListElement | null>
}

/** The hits, the filters and, on wide screens, the document of a hit. */
function Results({ request, onAsk, list }: ResultsProps) {
  const isWide = useIsWide()
  // Results wait for the parser of snippets, because they would move when it loads. If it cannot be loaded, snippets are shown
  // as written.
  const part = usePart('snippets', () => import('../../ui/markdown/snippet.ts'))
  const reader = part.error ? plainPieces : part.data?.markdownPieces
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    pagedSearchQuery(searchInput(request), { size: RESULTS, most: MOST_RESULTS }),
  )
  const [first] = data?.pages ?? []
  const hits = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data])
  const facets = <Facets request={request} counts={first?.facets} total={first?.facets?.counted ?? 0} onAsk={onAsk} />
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      {isWide ? (
        <Scroll label="Filters" className="w-52 shrink-0 overflow-y-auto border-r border-line p-3">
          {facets}
        </Scroll>
      ) : (
        <details open={isNarrowed(request)} className="shrink-0 border-b border-line px-4 py-2">
          <summary className="text-xs text-ink-2">Filters</summary>
          <div className="pt-2">{facets}</div>
        </details>
      )}
      {error && !data ? (
        <ErrorNote error={error} retry={refetch} />
      ) : !data || !first || !reader ? (
        <div className="flex-1">
          <Skeleton rows={9} />
        </div>
      ) : (
        <Hits
          {...{ first, hits, reader, isWide, list, isOld: isPlaceholderData }}
          more={hasNextPage && { show: () => fetchNextPage(), isLoading: isFetchingNextPage }}
        />
      )}
    </div>
  )
}

const EXAMPLES = [
  ['retry after a timeout', 'any of the words; rare words count more'],
  ['"exact words"', 'exactly these words'],
  ['config* -test', 'words that begin with config, but without test'],
  ['title:install path:guides', 'in the title, in the path'],
  ['contains:"list->next"', 'any piece of text, character by character'],
] as const

const NOTHING = (
  <Empty title="Search in everything that is indexed">
    <p>Type any words. These narrow a search down:</p>
    <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm max-sm:grid-cols-1 max-sm:gap-y-0.5">
      {EXAMPLES.map(([query, does]) => (
        <div key={query} className="contents">
          <dt className="font-mono text-xs leading-5 text-ink">{query}</dt>
          <dd className="leading-5 max-sm:mb-2">{does}</dd>
        </div>
      ))}
    </dl>
  </Empty>
)
