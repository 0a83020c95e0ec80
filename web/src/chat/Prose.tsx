import { Link } from '@tanstack/react-router'
import { ExternalLink, ImageOff } from 'lucide-react'
import { type ComponentProps, memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { legible } from '../ui/controls.ts'
import { PlainText } from '../ui/PlainText.tsx'
import { Scroll } from '../ui/Scroll.tsx'
import { shortOf, shownAt } from './places.ts'
import { CITES, remarkCitations } from './remark-citations.ts'
import type { Facts } from './session.ts'

interface ProseProps {
  readonly text: string
  readonly citations: NonNullable<Facts['citations']>
}

/** What a model says, as elements. HTML in it is left out, no image is loaded, and links outside show where they lead. */
export const Prose = memo(({ text, citations }: ProseProps) => {
  const plugins = useMemo(() => {
    const numbers = new Set(citations.map(({ number }) => number))
    return [remarkGfm, [remarkCitations, { numbers }]] as const
  }, [citations])
  const components = useMemo(() => componentsFor(citations), [citations])
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[...plugins] as never} skipHtml urlTransform={(url) => url} components={components}>
        {legible(text)}
      </ReactMarkdown>
    </div>
  )
})

function componentsFor(citations: ProseProps['citations']): Components {
  return {
    a: ({ href = '', children }) => {
      const cited = citations.find(({ number }) => href === `${CITES}${number}`)
      if (cited) return <Cited {...cited} />
      if (/^(ambit|qfs|qmd):\/\//.test(href)) return <PlaceLink place={href}>{children}</PlaceLink>
      const host = hostOf(href)
      if (host === undefined) return <span title="This link leads nowhere that is safe">{children}</span>
      return (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {children}
          <span className="host">
            <ExternalLink aria-hidden />
            <bdi>{host}</bdi>
          </span>
        </a>
      )
    },
    img: ({ src, alt }) => (
      <span className="inline-flex items-center gap-1.5 rounded-sm border border-line bg-surface px-1.5 text-xs text-ink-3">
        <ImageOff aria-hidden className="size-3.5" />
        {alt && <span>{alt}:</span>}
        image from <bdi>{hostOf(String(src ?? '')) ?? 'elsewhere'}</bdi>, not loaded
      </span>
    ),
    pre: ({ children }) => (
      <Scroll label="Code" className="mb-3 overflow-x-auto rounded-md border border-line bg-surface">
        <pre className="mb-0!">{children}</pre>
      </Scroll>
    ),
    code: ({ children }) => (
      <code>
        <PlainText text={String(children)} />
      </code>
    ),
    table: ({ children }) => (
      <Scroll label="Table" className="overflow-x-auto">
        <table>{children}</table>
      </Scroll>
    ),
    input: ({ checked }) => (
      <span role="img" aria-label={checked ? 'done' : 'open'} className="mr-1.5 font-mono text-ink-2">
        {checked ? '☑' : '☐'}
      </span>
    ),
  }
}

/** Undefined for what is no address of the web. */
function hostOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  return new URL(href).host
}

/** The number of a source, which leads there. */
export function Cited({ number, place }: { readonly number: number; readonly place: string }) {
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
  const shows = shownAt(place)
  if (shows.to === '/context') return <Link to={shows.to} search={shows.search} {...rest} />
  if (shows.to === '/browse/$collection/$') return <Link to={shows.to} params={shows.params} {...rest} />
  return <Link to={shows.to} params={shows.params} search={shows.search} {...rest} />
}
