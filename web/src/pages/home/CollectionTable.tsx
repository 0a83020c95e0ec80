import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { ageOf, counted, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { isOld } from './attention.ts'
import { CollectionActions } from './CollectionActions.tsx'

const COLUMNS: readonly TableColumn<Collection>[] = [
  { name: 'Name', className: 'lg:w-1/4', cell: (collection) => <CollectionName collection={collection} /> },
  {
    name: 'Folder',
    className: 'font-mono text-xs text-ink-2 max-lg:hidden',
    cell: ({ root }) => <Name text={root} />,
  },
  { name: 'Documents', className: 'w-24 text-right tabular-nums', cell: ({ documents }) => numberOf(documents) },
  { name: 'Size', className: 'w-24 text-right tabular-nums max-md:hidden', cell: ({ bytes }) => sizeOf(bytes) },
  { name: 'Indexed', className: 'w-28 pl-4 max-sm:hidden', cell: (collection) => <Indexed collection={collection} /> },
  { name: 'Described', className: 'w-52 max-md:hidden', cell: (collection) => <Coverage collection={collection} /> },
  { name: 'Actions', className: 'w-12', isBare: true, cell: (one) => <CollectionActions collection={one} /> },
]

export function CollectionTable({ collections }: { readonly collections: readonly Collection[] }) {
  return <Table columns={COLUMNS} rows={collections} keyOf={({ name }) => name} />
}

function CollectionName({ collection: { name, isPaused } }: { readonly collection: Collection }) {
  return (
    <div className="flex items-center gap-2">
      <Link
        to="/browse/$collection/$"
        params={{ collection: name, _splat: '' }}
        className="min-w-0 font-medium wrap-anywhere hover:underline"
      >
        <Name text={name} />
      </Link>
      {isPaused && <span className="rounded-sm border border-line-strong px-1 text-xs text-ink-2">paused</span>}
    </div>
  )
}

function Indexed({ collection }: { readonly collection: Collection }) {
  const { indexedAt, isIndexing } = collection
  const { isRunning, isQueued, done, total, ...job } = useIndexing(collection.name)
  const problem = collection.problem ?? job.problem
  if (isQueued) return <span className="text-ink-2">waiting</span>
  if (isRunning && done < total) return <span className="text-ink-2">{Math.floor((100 * done) / total)} % done</span>
  if (isIndexing || isRunning) return <span className="text-ink-2">being indexed</span>
  if (problem !== undefined) {
    return (
      <span className="text-bad" title={problem}>
        failed
      </span>
    )
  }
  if (indexedAt === undefined) return <span className="text-warn">not indexed</span>
  return (
    <time dateTime={indexedAt} title={momentOf(indexedAt)} className={isOld(indexedAt) ? 'text-warn' : 'text-ink-2'}>
      {ageOf(indexedAt)}
    </time>
  )
}

/** How many of its folders have a description. */
function Coverage({ collection: { name } }: { readonly collection: Collection }) {
  const { data: check } = useContextsCheck()
  const { data: list } = useQuery(operationQuery('contexts.list', {}))
  if (!check || !list) return null
  const described = list.contexts.filter(({ collection }) => collection === name).length
  const without = check.paths.filter(({ collection }) => collection === name).length
  if (described === 0) return <span className="text-warn">none</span>
  return (
    <span className="text-ink-2">
      {counted(described, 'place')}
      {without > 0 && <span className="text-ink-3"> · {counted(without, 'folder')} without</span>}
    </span>
  )
}
