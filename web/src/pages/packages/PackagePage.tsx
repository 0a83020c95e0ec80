import { Link } from '@tanstack/react-router'
import { placeOf, usePackage, useRevisions } from '../../api/packages.ts'
import { Copy } from '../../ui/Copy.tsx'
import { momentOf, sizeOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Diff } from './Diff.tsx'
import { Entries } from './Entries.tsx'
import { Metadata } from './Metadata.tsx'
import { Revisions } from './Revisions.tsx'
import { entriesOf, type PackagePlace, shortOf, type Tab, usePackageAt } from './usePackageAt.ts'
import { Verify } from './Verify.tsx'

/** One revision of a package. */
export function PackagePage() {
  const place = usePackageAt()
  const { data, error, refetch } = usePackage(placeOf(place.at))
  useTitle(`${place.at.namespace}/${place.at.name}${place.tab === 'entries' ? '' : `: ${place.tab}`}`)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head place={place} />
      {error && !data ? <ErrorNote error={error} retry={refetch} /> : <Body place={place} shown={data} />}
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

const TAB_LIST = [
  { id: 'entries', name: 'Entries' },
  { id: 'metadata', name: 'Metadata' },
  { id: 'revisions', name: 'Revisions' },
  { id: 'verify', name: 'Verify' },
] as const satisfies readonly { readonly id: Tab; readonly name: string }[]

function Body({ place, shown }: { readonly place: PackagePlace; readonly shown: ShownPackage | undefined }) {
  const { tab, before, go } = place
  const show = (next: Tab) => go({ tab: next === 'entries' ? undefined : next, entry: undefined, before: undefined })
  return (
    <Tabs label="Parts of the package" tabs={TAB_LIST} current={tab} onShow={show}>
      {!shown && <Skeleton rows={8} />}
      {shown && tab === 'entries' && <Entries place={place} hash={shown.hash} />}
      {shown && tab === 'metadata' && <Metadata shown={shown} />}
      {shown && tab === 'revisions' && before === undefined && <Revisions place={place} />}
      {shown && tab === 'revisions' && before !== undefined && <Diff place={place} before={before} />}
      {shown && tab === 'verify' && <Verify key={shown.hash} place={place} />}
    </Tabs>
  )
}
