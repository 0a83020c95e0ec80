import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import { nameOf, type Place, parentOf, placeOf, uriOf } from '../../api/place.ts'
import { type Entry, usePlaceContent } from '../../api/places.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { ageOf, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Skeleton } from '../../ui/State.tsx'
import { type HitState, hitLink, linesInHash } from '../../ui/text-places.ts'
import { Descriptions } from '../descriptions/Descriptions.tsx'
import { kindOf, previewOf } from '../preview/kinds.tsx'
import { Preview } from '../preview/Preview.tsx'
import { Details } from './Details.tsx'
import { Listing } from './Listing.tsx'

interface FileViewProps {
  readonly place: Place
  readonly entry: Entry | undefined
}

/** A file beside those of its folder. */
export function FileView({ place, entry }: FileViewProps) {
  const { view, lines: asked } = useSearch({ strict: false }) as { view?: string; lines?: string }
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const found = useRouterState({ select: ({ location }) => Object(location.state).found as HitState | undefined })
  const lines = asked ?? linesInHash(hash)
  const { collection, path } = parentOf(place) ?? place
  const folder = useMemo(() => placeOf(collection, path), [collection, path])
  const { data: siblings } = usePlaceContent(folder)
  const isSource = view === 'source' || (asked !== undefined && view !== 'preview')
  return (
    <div className="flex h-full">
      <div className="flex w-64 shrink-0 flex-col border-r border-line max-md:hidden">
        {siblings ? (
          <Listing place={folder} entries={siblings.entries} current={nameOf(place)} isNarrow className="flex-1 py-1" />
        ) : (
          <Skeleton />
        )}
      </div>
      <article className="flex min-w-0 flex-1 flex-col" aria-label={nameOf(place)}>
        <Header place={place} entry={entry} isSource={isSource} />
        {found && <HitSteps found={found} />}
        <Descriptions place={place} isFile />
        <Preview key={uriOf(place)} place={place} isSource={isSource} lines={lines} />
      </article>
      <Details place={place} entry={entry} />
    </div>
  )
}

function Header({ place, entry, isSource }: FileViewProps & { readonly isSource: boolean }) {
  const hasTwo = previewOf(kindOf(nameOf(place))).hasSource
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 border-b border-line py-1 pr-2 pl-4">
      <h1 className="text-sm font-semibold wrap-anywhere">
        <Name text={nameOf(place)} />
      </h1>
      <Copy text={uriOf(place)} label="Copy the address for agents" />
      <p className="flex-1 text-xs whitespace-nowrap text-ink-3 tabular-nums">
        {entry?.size !== undefined && sizeOf(entry.size)}
        {entry?.modifiedAt !== undefined && (
          <time dateTime={entry.modifiedAt} title={momentOf(entry.modifiedAt)}>
            {' '}
            · {ageOf(entry.modifiedAt)}
          </time>
        )}
      </p>
      <a
        href={bytesOf(place)}
        download={nameOf(place)}
        aria-label="Save the file"
        title="Save the file"
        className={buttonLook({ look: 'quiet', size: 'icon' })}
      >
        <Download aria-hidden />
      </a>
      {hasTwo && <Views isSource={isSource} />}
    </header>
  )
}

/** Leads from the passage that a search opened to the one before and the one after. */
function HitSteps({ found: { hits, at } }: { readonly found: HitState }) {
  const step = (to: number, name: string, icon: ReactNode) =>
    hits[to] && (
      <Link {...hitLink({ hits, at: to })} className={buttonLook({ look: 'quiet' })}>
        {icon}
        {name}
      </Link>
    )
  return (
    <nav
      aria-label="Hits of the search"
      className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-2 text-xs text-ink-2 tabular-nums"
    >
      <span className="flex-1 pl-2">
        Hit {numberOf(at + 1)} of {numberOf(hits.length)}
      </span>
      {step(at - 1, 'Previous hit', <ArrowUp aria-hidden />)}
      {step(at + 1, 'Next hit', <ArrowDown aria-hidden />)}
    </nav>
  )
}

function Views({ isSource }: { readonly isSource: boolean }) {
  const navigate = useNavigate()
  const show = (view: 'preview' | 'source') =>
    navigate({ to: '.', search: { view: view === 'source' ? view : undefined } as never, replace: true })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend that is seen.
    <div role="group" aria-label="View" className="flex">
      <Button
        className="rounded-r-none aria-pressed:bg-raised"
        aria-pressed={!isSource}
        onClick={() => show('preview')}
      >
        Preview
      </Button>
      <Button
        className="-ml-px rounded-l-none aria-pressed:bg-raised"
        aria-pressed={isSource}
        onClick={() => show('source')}
      >
        Source
      </Button>
    </div>
  )
}
