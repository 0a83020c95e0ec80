import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { type CitationView, Prose } from '../ui/Prose.tsx'
import { pageOf, shortOf } from './places.ts'
import type { AnswerMetadata } from './session.ts'

interface SaidProps {
  readonly text: string
  readonly citations: NonNullable<AnswerMetadata['citations']>
}

/** What a model says. It cites by numbers, which lead to the places that it was given them for. */
export function AnswerText({ text, citations }: SaidProps) {
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
  return <Prose text={text} citing={citing} linked={linked} />
}

function linked(href: string, children: ReactNode): ReactNode | undefined {
  return /^(ambit|qfs|qmd):\/\//.test(href) ? <PlaceLink place={href}>{children}</PlaceLink> : undefined
}

/** The number of a source, which leads there. */
export function CitationLink({ number, place }: { readonly number: number; readonly place: string }) {
  return (
    <PlaceLink
      place={place}
      aria-label={`Source ${number}: ${shortOf(place)}`}
      title={shortOf(place)}
      className="mx-px rounded-sm bg-raised px-1 text-xs no-underline! hover:bg-selected"
    >
      {number}
    </PlaceLink>
  )
}

type LinkProps = Pick<ComponentProps<'a'>, 'aria-label' | 'title' | 'className' | 'children'>

/** Leads to where the UI shows a place. */
function PlaceLink({ place, ...rest }: LinkProps & { readonly place: string }) {
  const shows = pageOf(place)
  if (shows.to === '/context') return <Link to={shows.to} search={shows.search} {...rest} />
  if (shows.to === '/browse/$collection/$') return <Link to={shows.to} params={shows.params} {...rest} />
  return <Link to={shows.to} params={shows.params} search={shows.search} {...rest} />
}
