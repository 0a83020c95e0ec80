import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { searched } from '../../api/search.ts'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/Field.tsx'
import { counted, numberOf } from '../../ui/format.ts'
import { Empty, Skeleton, Trouble } from '../../ui/State.tsx'
import { useLater } from '../../ui/useLater.ts'
import { useTitle } from '../../ui/useTitle.ts'
import { type Asked, askedIn, inputOf, MOST_RESULTS, RESULTS } from './asked.ts'
import { Filters } from './Filters.tsx'
import { Hit } from './Hit.tsx'

/** Searches while one types. The address says what is asked. */
export function SearchPage() {
  const asked = askedIn(useSearch({ strict: false }))
  useTitle(asked.q === '' ? 'Search' : asked.q)
  const navigate = useNavigate()
  const ask = (next: Partial<Asked>) =>
    navigate({ to: '/search', search: { ...asked, n: undefined, ...next } as never, replace: true })
  const list = useRef<HTMLOListElement>(null)
  return (
    <div className="h-full overflow-y-auto">
      <h1 className="sr-only">Search</h1>
      <div className="sticky top-0 z-10 border-b border-line bg-canvas px-4 pt-3 pb-2">
        <Field asked={asked.q} onAsk={(q) => ask({ q })} onDown={() => linksIn(list.current)[0]?.focus()} />
        <Filters asked={asked} onAsk={ask} />
      </div>
      {asked.q.trim() === '' ? <Nothing /> : <Results asked={asked} onAsk={ask} list={list} />}
    </div>
  )
}

function linksIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])]
}

interface FieldProps {
  readonly asked: string
  readonly onAsk: (query: string) => void
  readonly onDown: () => void
}

/** How long somebody pauses before it is searched, in milliseconds. */
const PAUSE = 120

function Field({ asked, onAsk, onDown }: FieldProps) {
  const [text, setText] = useState(asked)
  const later = useLater(text, PAUSE)
  const sent = useRef(asked)
  useEffect(() => {
    if (later === sent.current) return
    sent.current = later
    onAsk(later)
  }, [later, onAsk])
  // Back and forward change what is asked from outside.
  useEffect(() => {
    if (asked === sent.current) return
    sent.current = asked
    setText(asked)
  }, [asked])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    onDown()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element is not known to all tools yet.
    <form role="search" className="relative max-w-3xl" onSubmit={(event) => event.preventDefault()}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
      <Input
        type="search"
        autoFocus
        aria-label="Search in the collections"
        placeholder={'Words, "phrases", -without, title:word, path:part, contains:"text"'}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        className="pl-8 md:text-base"
      />
    </form>
  )
}

interface ResultsProps {
  readonly asked: Asked
  readonly onAsk: (next: Partial<Asked>) => void
  readonly list: React.RefObject<HTMLOListElement | null>
}

function Results({ asked, onAsk, list }: ResultsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(searched(inputOf(asked)))
  if (error) return <Trouble error={error} retry={refetch} />
  if (!data) return <Skeleton rows={9} />
  const isMore = data.total > data.results.length && data.results.length < MOST_RESULTS
  return (
    <>
      <Told answer={data} />
      <ol ref={list} onKeyDown={onArrows} className={isPlaceholderData ? 'opacity-70' : ''}>
        {data.results.map((hit) => (
          <Hit key={hit.uri} hit={hit} />
        ))}
      </ol>
      {isMore && (
        <Button size="md" className="m-4" onClick={() => onAsk({ n: String(data.results.length + RESULTS) })}>
          Show more
        </Button>
      )}
    </>
  )
}

/** Arrow keys lead from hit to hit; from the first one up to the field. */
function onArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = linksIn(event.currentTarget)
  const next = links.indexOf(document.activeElement as HTMLElement) + step
  if (next < 0) document.querySelector<HTMLElement>('main input[type=search]')?.focus()
  else links[next]?.focus()
}

/** How many were found, and what to know about it. */
function Told({ answer: { total, results, mode, degraded, notices } }: { readonly answer: Answer<'search'> }) {
  const how = { lexical: 'by words', vector: 'by meaning', hybrid: 'by words and by meaning' }[mode]
  return (
    <div role="status" className="px-4 pt-2 pb-1 text-xs text-ink-3 tabular-nums">
      {results.length === 0 ? (
        <p className="py-4 text-base text-ink-2">Nothing was found.</p>
      ) : (
        <p>
          {results.length < total
            ? `${numberOf(results.length)} of ${counted(total, 'document')}`
            : counted(total, 'document')}
          , {how}
        </p>
      )}
      {degraded.map((notice) => (
        <p key={notice} className="text-warn">
          {notice}
        </p>
      ))}
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  )
}

const EXAMPLES = [
  ['retry after a timeout', 'any of the words; those that tell more count more'],
  ['"exact words"', 'words in a row'],
  ['config* -test', 'what begins so, without another'],
  ['title:install path:guides', 'in the title, in the path'],
  ['contains:"list->next"', 'any piece of text, letter by letter'],
] as const

function Nothing() {
  return (
    <Empty title="Search in everything that is indexed">
      <p>Anything at all is a question. Signs narrow it down:</p>
      <dl className="mt-3 grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 text-sm max-sm:grid-cols-1 max-sm:gap-y-0.5">
        {EXAMPLES.map(([query, does]) => (
          <div key={query} className="contents">
            <dt className="font-mono text-xs leading-5 text-ink">{query}</dt>
            <dd className="leading-5 max-sm:mb-2">{does}</dd>
          </div>
        ))}
      </dl>
    </Empty>
  )
}
