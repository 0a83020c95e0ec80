import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { operationQuery } from '../api/client.ts'
import { Name } from '../ui/PlainText.tsx'
import { type CitationView, Prose } from '../ui/Prose.tsx'
import { pageOf, shortPlaceName } from './places.ts'
import { type Citations, placeOfCitation, type SourcePlace, splitAtPlaces } from './source-places.ts'

/** The text of an answer. Citations are numbers that link to their places; a place on its own line becomes a card. */
export function AnswerText({ text, citations }: { readonly text: string; readonly citations: Citations }) {
  const citing = useMemo((): CitationView => {
    const places = new Map(citations.map((one) => [one.number, one]))
    return {
      pattern: /^\d{1,6}$/,
      numberOf: (cited) => (places.has(Number(cited)) ? Number(cited) : undefined),
      render: (number) => {
        const cited = places.get(number)
        return cited && <CitationLink {...cited} />
      },
    }
  }, [citations])
  const parts = useMemo(() => splitAtPlaces(text, citations), [text, citations])
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
      <Prose key={at} text={part} citing={citing} renderLink={renderPlaceLink} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added.
      <SourceCard key={at} {...part} />
    ),
  )
}

function renderPlaceLink(href: string, children: ReactNode): ReactNode | undefined {
  return /^(ambit|qfs|qmd):\/\//.test(href) ? <PlaceLink place={href}>{children}</PlaceLink> : undefined
}

export function SourceCard({ number, place, lines, section }: SourcePlace) {
  const isDocument = /^ambit:\/\/[^/]+\/[^@]+$/.test(place)
  const { data } = useQuery({
    ...operationQuery('get', { path: place, maxLines: 1 }),
    enabled: isDocument,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const short = shortPlaceName(place)
  const title = data?.title ?? short.split('/').at(-1) ?? ''
  const sectionName = section?.startsWith(`${title} › `) ? section.slice(title.length + 3) : section
  const range = lines && `${lines.includes('-') ? 'lines' : 'line'} ${lines.replace('-', '–')}`
  const where = [sectionName === title ? undefined : sectionName, range].filter(Boolean).join(', ')
  return (
    <PlaceLink
      place={place}
      lines={lines}
      className="flex max-w-full items-baseline gap-2 rounded-md border border-line bg-canvas px-2.5 py-1.5 text-sm hover:bg-surface"
    >
      <span className="text-xs text-ink-3 tabular-nums">{number}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <Name className="font-medium text-accent" text={title} />
        {where !== '' && (
          <span className="text-ink-2">
            {' '}
            › <Name text={where} />
          </span>
        )}
        <Name className="block font-mono text-xs text-ink-3" text={short} />
      </span>
    </PlaceLink>
  )
}

/** The number of a source, as a link. */
function CitationLink(cited: Citations[number]) {
  const { number, place, lines } = placeOfCitation(cited)
  return (
    <PlaceLink
      place={place}
      lines={lines}
      data-cite=""
      aria-label={`Source ${number}: ${shortPlaceName(place)}`}
      title={shortPlaceName(place)}
      className="mx-px rounded-sm bg-raised px-1 text-xs no-underline! hover:bg-selected"
    >
      {number}
    </PlaceLink>
  )
}

interface PlaceLinkProps extends Pick<ComponentProps<'a'>, 'aria-label' | 'title' | 'className' | 'children'> {
  readonly place: string
  readonly lines?: string | undefined
  readonly 'data-cite'?: string
}

/** A link to a place in the UI. */
function PlaceLink({ place, lines, ...rest }: PlaceLinkProps) {
  // A file that was sent with a question has no page.
  if (place.startsWith('attachment:')) return <span {...rest} />
  const { to, params, search } = pageOf(place)
  const query = lines === undefined || to !== '/browse/$collection/$' ? search : { lines, view: 'preview' }
  return <Link to={to} params={params as never} search={query as never} {...rest} />
}
