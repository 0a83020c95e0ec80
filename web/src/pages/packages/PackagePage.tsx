import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { placeOf, usePackage, useRevisions } from '../../api/packages.ts'
import { Copy } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { momentOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { useTitle } from '../../ui/useTitle.ts'
import { Diff } from './Diff.tsx'
import { Entries } from './Entries.tsx'
import { Metadata } from './Metadata.tsx'
import { Revisions } from './Revisions.tsx'
import { entriesOf, type PackagePlace, shortOf, TABS, type Tab, usePackageAt } from './usePackageAt.ts'
import { Verify } from './Verify.tsx'

/** One revision of a package. */
export function PackagePage() {
  const place = usePackageAt()
  const { data, error, refetch } = usePackage(placeOf(place.at))
  useTitle(`${place.at.namespace}/${place.at.name}${place.tab === 'entries' ? '' : `: ${place.tab}`}`)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head place={place} />
      {error && !data ? (
        <ErrorNote error={error} retry={refetch} />
      ) : (
        <>
          <Tabs place={place} />
          {data ? <Body place={place} shown={data} /> : <Skeleton rows={8} />}
        </>
      )}
    </div>
  )
}

type ShownPackage = NonNullable<ReturnType<typeof usePackage>['data']>

function Head({ place: { at } }: { readonly place: PackagePlace }) {
  const { data } = usePackage(placeOf(at))
  const { data: log } = useRevisions(at)
  const own = log?.revisions.find(({ hash }) => hash === data?.hash)
  const modified = data?.modified ?? own?.modified
  return (
    <header className="shrink-0 px-4 pt-3 pb-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <bdi>
            <span className="font-normal text-ink-2">{at.namespace}/</span>
            {at.name}
          </bdi>
        </h1>
        <Link
          to="/browse/$collection/$"
          params={{ collection: at.registry, _splat: '' }}
          className="text-xs text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
        >
          in <Name text={at.registry} />
        </Link>
        {data && (
          <Link
            to="/context"
            search={{ place: `${at.registry}/${at.namespace}/${at.name}@${data.hash}` }}
            className="text-xs text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
          >
            What an agent sees
          </Link>
        )}
      </div>
      <p className="flex min-h-7 flex-wrap items-center gap-x-3 text-xs text-ink-2 tabular-nums">
        {data && (
          <>
            <span className="flex items-center">
              <code className="font-mono" title={data.hash}>
                {shortOf(data.hash)}
              </code>
              <Copy text={data.hash} label="Copy the whole hash" />
            </span>
            {own && !own.isLatest && <Older at={at} />}
            {own?.isLatest && <span className="rounded-sm border border-line-strong px-1">latest</span>}
            {modified !== undefined && modified !== null && <time dateTime={modified}>{momentOf(modified)}</time>}
            <span>{entriesOf(data.totalEntries)}</span>
            <span>{sizeOf(data.totalBytes)}</span>
          </>
        )}
      </p>
      <p className="min-h-5 max-w-prose text-base wrap-anywhere">{data?.message}</p>
      {data?.problem !== undefined && <p className="text-xs text-warn wrap-anywhere">{data.problem}</p>}
    </header>
  )
}

function Older({ at: { hash: _, ...latest } }: Pick<PackagePlace, 'at'>) {
  return (
    <span className="flex items-center gap-2">
      <span className="rounded-sm border border-line-strong px-1 text-warn">older revision</span>
      <Link to="/packages/$registry/$namespace/$name" params={latest} search={{}} className="text-accent underline">
        Go to the latest
      </Link>
    </span>
  )
}

const NAMES: Readonly<Record<Tab, string>> = {
  entries: 'Entries',
  metadata: 'Metadata',
  revisions: 'Revisions',
  verify: 'Verify',
}

/** Tabs as the ARIA practices have them: arrows move, and what is reached is shown. */
function Tabs({ place: { tab, go } }: { readonly place: PackagePlace }) {
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef(false)
  useEffect(() => {
    if (wanted.current) list.current?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus()
    wanted.current = false
  }, [tab])
  const show = (next: Tab) => go({ tab: next === 'entries' ? undefined : next, entry: undefined, before: undefined })
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Parts of the package"
      className="flex shrink-0 gap-1 border-b border-line px-3"
      onKeyDown={({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
        const next = step === undefined ? undefined : TABS.at((TABS.indexOf(tab) + step) % TABS.length)
        wanted.current = next !== undefined
        if (next) show(next)
      }}
    >
      {TABS.map((each) => (
        <button
          key={each}
          id={`tab-${each}`}
          type="button"
          role="tab"
          aria-selected={each === tab}
          aria-controls="tab-panel"
          tabIndex={each === tab ? 0 : -1}
          onClick={() => show(each)}
          className={cn(
            '-mb-px h-9 border-b-2 border-transparent px-2 text-ink-2 hover:text-ink',
            each === tab && 'border-accent font-medium text-ink',
          )}
        >
          {NAMES[each]}
        </button>
      ))}
    </div>
  )
}

function Body({ place, shown }: { readonly place: PackagePlace; readonly shown: ShownPackage }) {
  const { tab, before } = place
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="flex min-h-0 flex-1 flex-col">
      {tab === 'entries' && <Entries place={place} hash={shown.hash} />}
      {tab === 'metadata' && <Metadata shown={shown} />}
      {tab === 'revisions' &&
        (before === undefined ? <Revisions place={place} /> : <Diff place={place} before={before} />)}
      {tab === 'verify' && <Verify key={shown.hash} place={place} />}
    </div>
  )
}
