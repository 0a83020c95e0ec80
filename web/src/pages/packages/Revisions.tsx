import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { type Revision, useRevisions } from '../../api/packages.ts'
import { Button } from '../../ui/Button.tsx'
import { counted, momentOf, numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { type PackagePlace, shortOf } from './usePackageAt.ts'

const COLUMNS = [
  { name: 'Compare', className: 'w-22' },
  { name: 'Revision', className: 'w-52 max-md:w-36' },
  { name: 'Message' },
  { name: 'Pushed', className: 'w-40 text-right max-md:hidden' },
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
  const compare = () => {
    const [newer, older] = data.revisions.map(({ hash }) => hash).filter((hash) => chosen.includes(hash))
    if (newer !== undefined && older !== undefined) go({ tab: 'revisions', hash: newer, before: older })
  }
  return (
    <>
      <div className="flex min-h-10 shrink-0 items-center gap-3 px-4">
        <p className="flex-1 text-xs text-ink-3 tabular-nums">
          {counted(data.total, 'revision')}
          {data.total > data.revisions.length && `, of which the newest ${numberOf(data.revisions.length)} are here`}
        </p>
        <Button onClick={compare} disabled={chosen.length !== 2}>
          <GitCompareArrows aria-hidden />
          {chosen.length === 2 ? 'Compare the two' : 'Choose two to compare'}
        </Button>
      </div>
      <VirtualTable
        label="Revisions"
        columns={COLUMNS}
        items={data.revisions}
        keyOf={({ hash }) => hash}
        cells={(revision) => (
          <Cells
            revision={revision}
            place={place}
            isChosen={chosen.includes(revision.hash)}
            onToggle={() => toggle(revision.hash)}
          />
        )}
      />
    </>
  )
}

interface CellsProps {
  readonly revision: Revision
  readonly place: PackagePlace
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function Cells({ revision, place: { at }, isChosen, onToggle }: CellsProps) {
  const { hash, modified, message, isLatest, problem } = revision
  return (
    <>
      <td>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          aria-label={`Compare ${shortOf(hash)}`}
          className="size-3.5 align-middle accent-accent"
        />
      </td>
      <td>
        <span className="flex items-center gap-2">
          <Link
            to="/packages/$registry/$namespace/$name"
            params={at}
            search={isLatest ? {} : { hash }}
            title={hash}
            className="font-mono text-xs hover:underline"
          >
            {shortOf(hash)}
          </Link>
          {namesOf(revision).map((name) => (
            <span
              key={name}
              title={name}
              className="truncate rounded-sm border border-line-strong px-1 text-xs text-ink-2"
            >
              {name}
            </span>
          ))}
        </span>
      </td>
      <td className="truncate" title={message ?? problem}>
        {problem === undefined ? <Name text={message} /> : <span className="text-bad">{problem}</span>}
      </td>
      <td className="text-right whitespace-nowrap text-ink-2 tabular-nums max-md:hidden">
        <time dateTime={modified}>{momentOf(modified)}</time>
      </td>
    </>
  )
}

/** Names of a revision besides its hash; the times, which are names in some registries, have a column of their own. */
function namesOf({ pointers, isLatest }: Revision): string[] {
  const names = pointers.filter((pointer) => !/^\d+$/.test(pointer) && pointer !== 'latest')
  return isLatest ? ['latest', ...names] : names
}
