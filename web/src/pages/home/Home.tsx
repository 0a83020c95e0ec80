import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pause, Play, Plus, RefreshCw, Square } from 'lucide-react'
import { Suspense, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck, useOperation, useStatus } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { useMay } from '../../api/me.ts'
import { browseAt } from '../../api/place.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { countOf, numberOf, sizeOf } from '../../ui/format.ts'
import { ItemMenu } from '../../ui/ItemMenu.tsx'
import { MenuItem } from '../../ui/Menu.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { lazyPart } from '../../ui/part.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { Age } from '../../ui/Time.tsx'
import { Page } from '../Page.tsx'
import { Findings, isOld, NeedsAttention } from './NeedsAttention.tsx'
import { ProjectContext } from './ProjectContext.tsx'

const AddCollection = lazyPart(() => import('./AddCollection.tsx').then(({ AddCollection }) => AddCollection))

/** Home: the context of agents in the served project, the collections, and their problems. */
export function Home() {
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useStatus()
  const add = useMay('collections.add') && (
    <Button icon={Plus} look="main" onClick={() => setAdding(true)}>
      Add a collection
    </Button>
  )
  const isEmpty = data?.collections.length === 0
  const size = data && data.bytes > 0 ? ` · index of ${sizeOf(data.bytes)}` : ''
  const about = data && !isEmpty && `${countOf(data.documents, 'document')}${size}`
  return (
    <Page title="Collections" about={about} actions={isEmpty ? null : add} lead={<ProjectContext />}>
      {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />)}
      {isEmpty && (
        <Empty title="There are no collections yet" action={add}>
          A collection is a folder with a name: notes, a manual, a repository. Ambit indexes its files, searches them,
          and tells an agent what each place is for.
        </Empty>
      )}
      {data && !isEmpty && (
        <>
          <Table columns={COLUMNS} rows={data.collections} keyOf={({ name }) => name} />
          <NeedsAttention collections={data.collections} />
          <Findings />
        </>
      )}
      <Suspense>{isAdding && <AddCollection onClose={() => setAdding(false)} />}</Suspense>
    </Page>
  )
}

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

function CollectionName({ collection: { name, isPaused } }: { readonly collection: Collection }) {
  return (
    <div className="flex items-center gap-2">
      <Link {...browseAt(name)} className="min-w-0 font-medium wrap-anywhere hover:underline">
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
  return <Age time={indexedAt} className={isOld(indexedAt) ? 'text-warn' : 'text-ink-2'} />
}

/** How many places of a collection have a description. */
function Coverage({ collection: { name } }: { readonly collection: Collection }) {
  const { data: check } = useContextsCheck()
  const { data: list } = useQuery(operationQuery('contexts.list', {}))
  if (!check || !list) return null
  const described = list.contexts.filter(({ collection }) => collection === name).length
  const without = check.paths.filter(({ collection }) => collection === name).length
  if (described === 0) return <span className="text-warn">none</span>
  return (
    <span className="text-ink-2">
      {countOf(described, 'place')}
      {without > 0 && <span className="text-ink-3"> · {countOf(without, 'folder')} without</span>}
    </span>
  )
}

function CollectionActions({ collection: { name, isPaused, documents } }: { readonly collection: Collection }) {
  const indexing = useIndexing(name)
  const change = useOperation('collections.set')
  const renaming = useOperation('collections.rename')
  const removing = useOperation('collections.remove')
  const may = {
    index: useMay('indexing.start'),
    pause: useMay('collections.set'),
    rename: useMay('collections.rename'),
    remove: useMay('collections.remove'),
  }
  if (!Object.values(may).includes(true)) return null
  if (indexing.isRunning && may.index) {
    const label = `Stop indexing ${name}`
    return <IconButton icon={Square} label={label} onClick={indexing.stop} className="[&_svg]:animate-pulse" />
  }
  const rename = {
    ...{ title: `Rename ${name}`, label: 'Name', hint: 'Its descriptions are kept.', saving: renaming },
    run: (to: string, onDone: () => void) => renaming.mutate({ name, to }, { onSuccess: onDone }),
  }
  const remove = {
    ...{ title: `Remove ${name}?`, verb: 'Remove', saving: removing },
    about: `${countOf(documents, 'document')} will no longer be found, and its descriptions are deleted. The files themselves stay.`,
    run: (onDone: () => void) => removing.mutate({ name }, { onSuccess: onDone }),
  }
  return (
    <ItemMenu name={name} rename={may.rename && rename} remove={may.remove && remove}>
      {may.index && (
        <MenuItem icon={RefreshCw} onSelect={indexing.start}>
          Index
        </MenuItem>
      )}
      {may.pause && (
        <MenuItem icon={isPaused ? Play : Pause} onSelect={() => change.mutate({ name, paused: !isPaused })}>
          {isPaused ? 'Resume' : 'Pause'}
        </MenuItem>
      )}
    </ItemMenu>
  )
}
