import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Pause, Pencil, Play, Plus, RefreshCw, Square, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck, useOperation, useStatus } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { useMay } from '../../api/me.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { FormDialog, RenameDialog } from '../../ui/Dialog.tsx'
import { ageOf, counted, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { lazyPart } from '../../ui/part.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { Page } from '../Page.tsx'
import { Findings, isOld, NeedsAttention } from './NeedsAttention.tsx'
import { ProjectContext } from './ProjectContext.tsx'

const AddCollection = lazyPart(() => import('./AddCollection.tsx').then(({ AddCollection }) => AddCollection))

/** Home: the context of agents in the served project, the collections, and their problems. */
export function Home() {
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useStatus()
  const add = useMay('collections.add') && (
    <Button look="main" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      Add a collection
    </Button>
  )
  const isEmpty = data?.collections.length === 0
  const size = data && data.bytes > 0 ? ` · index of ${sizeOf(data.bytes)}` : ''
  const about = data && !isEmpty && `${counted(data.documents, 'document')}${size}`
  return (
    <Page title="Collections" about={about} actions={isEmpty ? null : add} lead={<ProjectContext />}>
      {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />)}
      {isEmpty && <Nothing action={add} />}
      {data && !isEmpty && (
        <>
          <CollectionTable collections={data.collections} />
          <NeedsAttention collections={data.collections} />
          <Findings />
        </>
      )}
      <Suspense>{isAdding && <AddCollection onClose={() => setAdding(false)} />}</Suspense>
    </Page>
  )
}

function Nothing({ action }: { readonly action: React.ReactNode }) {
  return (
    <Empty title="There are no collections yet" action={action}>
      <p>
        A collection is a folder with a name: notes, a manual, a repository. Ambit indexes its files, finds in them what
        a question is about, and tells an agent what each place is for.
      </p>
    </Empty>
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

function CollectionTable({ collections }: { readonly collections: readonly Collection[] }) {
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

interface Props {
  readonly collection: Collection
}

/** Actions on a collection. */
function CollectionActions({ collection }: Props) {
  const { name, isPaused } = collection
  const [opened, setOpened] = useState<'rename' | 'remove'>()
  const indexing = useIndexing(name)
  const change = useOperation('collections.set')
  const close = () => setOpened(undefined)
  const may = {
    index: useMay('indexing.start'),
    pause: useMay('collections.set'),
    rename: useMay('collections.rename'),
    remove: useMay('collections.remove'),
  }
  if (!Object.values(may).includes(true)) return null
  if (indexing.isRunning && may.index) {
    return (
      <IconButton label={`Stop indexing ${name}`} onClick={indexing.stop}>
        <Square className="animate-pulse" />
      </IconButton>
    )
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        {may.index && (
          <MenuItem onSelect={indexing.start}>
            <RefreshCw aria-hidden /> Index
          </MenuItem>
        )}
        {may.pause && (
          <MenuItem onSelect={() => change.mutate({ name, paused: !isPaused })}>
            {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />} {isPaused ? 'Resume' : 'Pause'}
          </MenuItem>
        )}
        {may.rename && (
          <MenuItem onSelect={() => setOpened('rename')}>
            <Pencil aria-hidden /> Rename…
          </MenuItem>
        )}
        {may.remove && (
          <>
            <MenuLine />
            <MenuItem isBad onSelect={() => setOpened('remove')}>
              <Trash2 aria-hidden /> Remove…
            </MenuItem>
          </>
        )}
      </Menu>
      {opened === 'rename' && <Rename collection={collection} onClose={close} />}
      {opened === 'remove' && <Remove collection={collection} onClose={close} />}
    </>
  )
}

interface ActionProps extends Props {
  readonly onClose: () => void
}

function Rename({ collection: { name }, onClose }: ActionProps) {
  const saving = useOperation('collections.rename')
  const rename = (to: string) => saving.mutate({ name, to }, { onSuccess: onClose })
  return (
    <RenameDialog
      title={`Rename ${name}`}
      label="Name"
      hint="Its descriptions are kept."
      name={name}
      onRename={rename}
      onClose={onClose}
      saving={saving}
    />
  )
}

function Remove({ collection: { name, documents }, onClose }: ActionProps) {
  const saving = useOperation('collections.remove')
  const remove = () => saving.mutate({ name }, { onSuccess: onClose })
  const about = { title: `Remove ${name}?`, verb: 'Remove', cancel: 'Keep', isBad: true }
  return (
    <FormDialog {...about} onSubmit={remove} onClose={onClose} saving={saving}>
      <p className="text-base">
        {counted(documents, 'document')} will no longer be found, and its descriptions are deleted. The files themselves
        stay.
      </p>
    </FormDialog>
  )
}
