import { Link, useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useStatus } from '../../api/collections.ts'
import { browseAt, nameOf, type Place, parentOf, placeOf, uriOf } from '../../api/place.ts'
import { type Entry, type PlaceContent, useDescriptions, usePlaceContent } from '../../api/places.ts'
import { useShortcuts } from '../../frame/keys.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { choicesOf, Segments } from '../../ui/Choice.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { Input } from '../../ui/Field.tsx'
import { countOf, numberOf, sizeOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Age } from '../../ui/Time.tsx'
import { type HitState, hitLink, linesInHash } from '../../ui/text-places.ts'
import { Descriptions } from '../descriptions/Descriptions.tsx'
import { IndexButton } from '../IndexButton.tsx'
import { AboutFolder, aboutFiles } from '../preview/AboutFolder.tsx'
import { kindOf, previewOf } from '../preview/kinds.tsx'
import { Preview } from '../preview/Preview.tsx'
import { SaveLink } from '../preview/SaveLink.tsx'
import { Details } from './Details.tsx'
import { Listing } from './Listing.tsx'

/** A place in a collection: a folder with its entries, or a file. */
export function Browse() {
  const { collection = '', _splat: path = '' } = useParams({ strict: false })
  const place = useMemo(() => placeOf(collection, path), [collection, path])
  const { data, error, refetch } = usePlaceContent(place)
  // Descriptions are above the entries. Both appear together, so that nothing moves.
  const { isPending } = useDescriptions(place)
  useTitle(nameOf(place))
  useGoingUp(place)
  if (data && !isPending)
    return data.kind === 'file' ? <FileView place={place} entry={data.entries[0]} /> : <FolderView found={data} />
  return (
    <>
      <h1 className="sr-only">{nameOf(place)}</h1>
      {error && (
        <ErrorNote error={error} retry={refetch}>
          <UpLink place={place} />
        </ErrorNote>
      )}
      {!error && <Skeleton rows={12} />}
    </>
  )
}

/** A link to the folder of a place that cannot be shown. */
function UpLink({ place }: { readonly place: Place }) {
  const parent = parentOf(place)
  return (
    <Link {...aboveOf(place)} className="justify-self-start wrap-anywhere text-accent underline">
      {parent ? `Up to ${nameOf(parent)}` : 'All collections'}
    </Link>
  )
}

/** The link to a place's folder; for a whole collection, to the list of collections. */
function aboveOf(place: Place) {
  const parent = parentOf(place)
  return parent ? browseAt(parent.collection, parent.path) : ({ to: '/' } as const)
}

/** Backspace opens the place's folder; from a whole collection, the list of collections. */
function useGoingUp(place: Place): void {
  const navigate = useNavigate()
  const shortcuts = useMemo(
    () => [{ keys: 'Backspace', does: 'Go up a folder', run: () => navigate(aboveOf(place)) }],
    [navigate, place],
  )
  useShortcuts(shortcuts)
}

/** Minimum number of entries for which a folder shows a filter. */
const MIN_TO_FILTER = 12

/** A folder: its descriptions, its entries, and its README. */
function FolderView({ found: { place, entries, isPartial } }: { readonly found: PlaceContent }) {
  const [filter, setFilter] = useState('')
  const shown =
    filter === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  const hasAbout = aboutFiles(files).length > 0
  return (
    <div className="flex h-full flex-col overflow-y-auto" key={`${place.collection}/${place.path}`}>
      <h1 className="sr-only">{nameOf(place)}</h1>
      <Descriptions place={place} />
      <UnindexedNotice collection={place.collection} />
      {entries.length === 0 ? (
        <Empty title="This folder is empty">New files appear when {place.collection} is indexed again.</Empty>
      ) : (
        <>
          <div className="flex h-10 shrink-0 items-center gap-3 px-4 text-xs text-ink-3 tabular-nums">
            <span className="flex-1" role="status">
              {filter !== '' && `${numberOf(shown.length)} of `}
              {entryCounts(entries)}
              {isPartial && ', loading more…'}
            </span>
            {entries.length >= MIN_TO_FILTER && (
              <Input
                type="search"
                aria-label="Filter by name"
                placeholder="Filter…"
                value={filter}
                onText={setFilter}
                className="h-7 w-44"
              />
            )}
          </div>
          <Listing
            place={place}
            entries={shown}
            className={cn(hasAbout ? 'max-h-[max(240px,55vh)] shrink-0' : 'min-h-60 flex-1')}
          />
        </>
      )}
      {hasAbout && <AboutFolder folder={place} files={files} />}
      <Details place={place} />
    </div>
  )
}

/** A notice for a collection that was never indexed, with a button that indexes it. */
function UnindexedNotice({ collection }: { readonly collection: string }) {
  const { data } = useStatus()
  const found = data?.collections.find(({ name }) => name === collection)
  if (!found || found.indexedAt !== undefined) return null
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 py-1.5">
      <p className="min-w-0 flex-1 leading-5">
        This collection is not indexed yet: its files can be read, but not searched.
      </p>
      <IndexButton collection={collection} />
    </div>
  )
}

function entryCounts(entries: readonly Entry[]): string {
  const folders = entries.filter(({ kind }) => kind === 'directory').length
  const files = entries.length - folders
  const parts = [folders > 0 && countOf(folders, 'folder'), files > 0 && countOf(files, 'file')]
  return parts.filter(Boolean).join(', ')
}

interface FileViewProps {
  readonly place: Place
  readonly entry: Entry | undefined
}

/** A file beside the list of its folder. */
function FileView({ place, entry }: FileViewProps) {
  const { view, lines: askedLines } = useSearch({ strict: false }) as { view?: string; lines?: string }
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const found = useRouterState({ select: ({ location }) => Object(location.state).found as HitState | undefined })
  const lines = askedLines ?? linesInHash(hash)
  const { collection, path } = parentOf(place) ?? place
  const folder = useMemo(() => placeOf(collection, path), [collection, path])
  const { data: siblings } = usePlaceContent(folder)
  const isSource = view === 'source' || (askedLines !== undefined && view !== 'preview')
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
  const hasTwoViews = previewOf(kindOf(nameOf(place))).hasSource
  const navigate = useNavigate()
  const show = (view: string) =>
    navigate({ to: '.', search: { view: view === 'source' ? view : undefined } as never, replace: true })
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 border-b border-line py-1 pr-2 pl-4">
      <h1 className="text-sm font-semibold wrap-anywhere">
        <Name text={nameOf(place)} />
      </h1>
      <Copy text={uriOf(place)} label="Copy the address for agents" />
      <p className="flex flex-1 gap-2 text-xs whitespace-nowrap text-ink-3 tabular-nums">
        {entry?.size !== undefined && <span>{sizeOf(entry.size)}</span>}
        <Age time={entry?.modifiedAt} />
      </p>
      <SaveLink place={place} />
      {hasTwoViews && <Segments label="View" value={isSource ? 'source' : 'preview'} values={VIEWS} onChange={show} />}
    </header>
  )
}

/** Links to the previous and the next hit of a search. */
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

const VIEWS = choicesOf({ preview: 'Preview', source: 'Source' })
