import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { type Revision, useRevisions } from '../../api/packages.ts'
import { packagePage } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { countOf, momentOf, numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import type { TableColumn } from '../../ui/Table.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { type PackagePlace, shortHash } from './usePackageAt.ts'

const COLUMNS: readonly TableColumn<Revision>[] = [
  {
    name: 'Message',
    className: 'truncate',
    title: ({ message, problem }) => message ?? problem,
    cell: ({ message, problem }) =>
      problem === undefined ? <Name text={message} /> : <span className="text-bad">{problem}</span>,
  },
  {
    name: 'Pushed',
    className: 'w-40 text-right whitespace-nowrap text-ink-2 tabular-nums max-md:hidden',
    cell: ({ modified }) => <time dateTime={modified}>{momentOf(modified)}</time>,
  },
]

/** All revisions, the newest first; two of them can be compared. */
export function Revisions({ place }: { readonly place: PackagePlace }) {
  const { at, go } = place
  const { data, error, refetch } = useRevisions(at)
  const [chosen, setChosen] = useState<readonly string[]>([])
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />
  const toggle = (hash: string) =>
    setChosen((before) =>
      before.includes(hash) ? before.filter((each) => each !== hash) : [...before, hash].slice(-2),
    )
  const columns: readonly TableColumn<Revision>[] = [
    {
      name: 'Compare',
      className: 'w-22',
      cell: ({ hash }) => (
        <input
          type="checkbox"
          checked={chosen.includes(hash)}
          onChange={() => toggle(hash)}
          aria-label={`Compare ${shortHash(hash)}`}
          className="size-3.5 align-middle accent-accent"
        />
      ),
    },
    { name: 'Revision', className: 'w-52 max-md:w-36', cell: (one) => <RevisionName revision={one} place={place} /> },
    ...COLUMNS,
  ]
  const compare = () => {
    const [newer, older] = data.revisions.map(({ hash }) => hash).filter((hash) => chosen.includes(hash))
    if (newer !== undefined && older !== undefined) go({ tab: 'revisions', hash: newer, before: older })
  }
  return (
    <>
      <div className="flex min-h-10 shrink-0 items-center gap-3 px-4">
        <p className="flex-1 text-xs text-ink-3 tabular-nums">
          {countOf(data.total, 'revision')}
          {data.total > data.revisions.length && `; the newest ${numberOf(data.revisions.length)} are shown`}
        </p>
        <Button icon={GitCompareArrows} onClick={compare} disabled={chosen.length !== 2}>
          {chosen.length === 2 ? 'Compare the two' : 'Choose two to compare'}
        </Button>
      </div>
      <VirtualTable label="Revisions" columns={columns} items={data.revisions} keyOf={({ hash }) => hash} />
    </>
  )
}

function RevisionName({ revision, place: { at } }: { readonly revision: Revision; readonly place: PackagePlace }) {
  const { hash, isLatest } = revision
  return (
    <span className="flex items-center gap-2">
      <Link {...packagePage({ ...at, hash: isLatest ? undefined : hash })} title={hash} className={HASH}>
        {shortHash(hash)}
      </Link>
      {namesOf(revision).map((name) => (
        <span key={name} title={name} className="truncate rounded-sm border border-line-strong px-1 text-xs text-ink-2">
          {name}
        </span>
      ))}
    </span>
  )
}

const HASH = 'font-mono text-xs hover:underline'

/** Names of a revision besides its hash. Leaves out times, which have their own column. */
function namesOf({ pointers, isLatest }: Revision): string[] {
  const names = pointers.filter((pointer) => !/^\d+$/.test(pointer) && pointer !== 'latest')
  return isLatest ? ['latest', ...names] : names
}
