import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import type { Answer } from '../../api/call.ts'
import { useLongOperation } from '../../api/follow.ts'
import { packagePlace, usePackage, useRevisions, type Verified } from '../../api/packages.ts'
import { browseAt, packagePage } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Diff } from './Diff.tsx'
import { Entries } from './Entries.tsx'
import { Revisions } from './Revisions.tsx'
import { entriesOf, type PackagePlace, shortHash, TABS, type Tab, usePackageAt } from './usePackageAt.ts'

/** One revision of a package. */
export function PackagePage() {
  const place = usePackageAt()
  const { data, error, refetch } = usePackage(packagePlace(place.at))
  useTitle(`${place.at.namespace}/${place.at.name}${place.tab === 'entries' ? '' : `: ${place.tab}`}`)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head place={place} />
      {error && !data ? <ErrorNote error={error} retry={refetch} /> : <Body place={place} shown={data} />}
    </div>
  )
}

type ShownPackage = Answer<'packages.show'>

const TAG = 'rounded-sm border border-line-strong px-1'
const LINK = 'text-xs text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink'

function Head({ place: { at } }: { readonly place: PackagePlace }) {
  const { data } = usePackage(packagePlace(at))
  const { data: log } = useRevisions(at)
  const revision = log?.revisions.find(({ hash }) => hash === data?.hash)
  const modified = data?.modified ?? revision?.modified
  return (
    <header className="shrink-0 px-4 pt-3 pb-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <bdi>
            <span className="font-normal text-ink-2">{at.namespace}/</span>
            {at.name}
          </bdi>
        </h1>
        <Link {...browseAt(at.registry)} className={LINK}>
          in <Name text={at.registry} />
        </Link>
        {data && (
          <Link to="/context" search={{ place: packagePlace({ ...at, hash: data.hash }) }} className={LINK}>
            What an agent sees
          </Link>
        )}
      </div>
      <p className="flex min-h-7 flex-wrap items-center gap-x-3 text-xs text-ink-2 tabular-nums">
        {data && (
          <>
            <span className="flex items-center">
              <code className="font-mono" title={data.hash}>
                {shortHash(data.hash)}
              </code>
              <Copy text={data.hash} label="Copy the whole hash" />
            </span>
            {revision?.isLatest && <span className={TAG}>latest</span>}
            {revision?.isLatest === false && (
              <>
                <span className={`text-warn ${TAG}`}>older revision</span>
                <Link {...packagePage({ ...at, hash: undefined })} className="text-accent underline">
                  Go to the latest
                </Link>
              </>
            )}
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

function Body({ place, shown }: { readonly place: PackagePlace; readonly shown: ShownPackage | undefined }) {
  const { at, tab, before, searchWith } = place
  const searchOf = (id: Tab) =>
    searchWith({ tab: id === 'entries' ? undefined : id, entry: undefined, before: undefined })
  const tabs = TABS.map((id) => ({
    ...{ name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`, isCurrent: id === tab },
    ...packagePage(at, searchOf(id)),
  }))
  return (
    <>
      <Tabs label="Parts of the package" tabs={tabs} className="border-b border-line px-3" />
      {!shown && <Skeleton rows={8} />}
      {shown && tab === 'entries' && <Entries place={place} hash={shown.hash} />}
      {shown && tab === 'metadata' && <Metadata shown={shown} />}
      {shown && tab === 'revisions' && before === undefined && <Revisions place={place} />}
      {shown && tab === 'revisions' && before !== undefined && <Diff place={place} before={before} />}
      {shown && tab === 'verify' && <Verify key={shown.hash} place={place} />}
    </>
  )
}

/** The metadata that the author of a package set, and the workflow that checked the package. */
function Metadata({ shown: { userMeta, workflow } }: { readonly shown: ShownPackage }) {
  const hasMeta = userMeta !== null && Object.keys(Object(userMeta)).length > 0
  if (!hasMeta && workflow === null) {
    return (
      <Empty title="This package has no metadata">
        Metadata is added when a package is pushed: any JSON, such as its author and its source.
      </Empty>
    )
  }
  return (
    <div className="stack content-start gap-6 overflow-y-auto px-4 py-3">
      {hasMeta && <Part title="Metadata" value={userMeta} />}
      {workflow !== null && <Part title="Workflow" value={workflow} />}
    </div>
  )
}

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title}>
      <header className="flex items-center gap-2">
        <h2 className="text-base font-semibold">{title}</h2>
        <Copy text={JSON.stringify(value, null, 2)} label={`Copy as JSON: ${title}`} />
      </header>
      <JsonValue value={value} />
    </section>
  )
}

const READING = 'Reading the manifest'

/** Reads every entry, and compares it with the manifest. */
function Verify({ place: { at } }: { readonly place: PackagePlace }) {
  const { start, stop, isRunning, progress, answer, error } = useLongOperation('packages.verify')
  const look = answer ? 'plain' : 'main'
  return (
    <div className="stack content-start gap-4 overflow-y-auto px-4 py-4">
      <p className="max-w-prose text-base text-ink-2">
        Recomputes the hash of the manifest, and checks the size and hash of every entry. Reads all bytes once, and
        changes nothing.
      </p>
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {isRunning ? (
          <ProgressLine {...{ progress, onStop: stop, label: 'Verifying', unit: 'entries', before: READING }} />
        ) : (
          <Button icon={ShieldCheck} size="md" look={look} onClick={() => start({ package: packagePlace(at) })}>
            {answer ? 'Verify again' : 'Verify all entries'}
          </Button>
        )}
      </div>
      {error && <ErrorNote error={error} className="p-0" />}
      {answer && <Outcome answer={answer} />}
    </div>
  )
}

function Outcome({ answer }: { readonly answer: Verified }) {
  const { isTopHashGood, computedHash, hash, verified, totalEntries, totalBytes, counts, reports, problem } = answer
  const outcome = outcomeOf(answer)
  const problemCounts = Object.entries(counts)
  const unlisted = problemCounts.reduce((sum, [, number]) => sum + number, 0) - reports.length
  return (
    <section aria-label="Result" className="stack gap-3">
      <p role="status" className={cn('flex items-center gap-2 text-base font-semibold', outcome.look)}>
        <outcome.icon aria-hidden className="size-5 shrink-0" />
        {outcome.name}
      </p>
      <ul className="stack gap-1 text-sm text-ink-2 tabular-nums">
        <li className="wrap-anywhere">
          {isTopHashGood
            ? 'The manifest matches its hash.'
            : computedHash === null
              ? `The hash of the manifest cannot be computed: ${problem ?? ''}`
              : `The manifest has the hash ${computedHash}, and not ${hash}.`}
        </li>
        <li>
          {numberOf(verified)} of {entriesOf(totalEntries)} verified ({sizeOf(totalBytes)})
          {problemCounts.map(([name, number]) => `, ${numberOf(number)} ${name}`)}
        </li>
      </ul>
      {reports.length > 0 && (
        <Table columns={COLUMNS} rows={reports} keyOf={({ line, problem }) => `${line} ${problem}`} />
      )}
      {unlisted > 0 && <p className="text-xs text-ink-3">{numberOf(unlisted)} more have a problem.</p>}
    </section>
  )
}

/** The outcome of a verification: verified only if every entry was read and is valid. */
function outcomeOf({ isGood, verified, totalEntries }: Verified) {
  if (!isGood) return { name: 'Verification failed', icon: CircleX, look: 'text-bad' }
  if (verified === totalEntries) {
    return { name: 'Verified: every entry matches its hash', icon: CircleCheck, look: 'text-good' }
  }
  const name = `Not verified: ${verified === 0 ? 'no entry' : `only ${numberOf(verified)} of ${entriesOf(totalEntries)}`} could be checked`
  return { name, icon: CircleAlert, look: 'text-warn' }
}

const COLUMNS: readonly TableColumn<Verified['reports'][number]>[] = [
  { name: 'Problem', className: 'w-28 pl-0! text-bad', cell: ({ problem }) => problem },
  { name: 'Entry', className: 'font-mono text-xs', cell: ({ logicalKey }) => <Name text={logicalKey} /> },
  { name: 'Details', className: 'text-ink-2', cell: ({ detail }) => detail },
]
