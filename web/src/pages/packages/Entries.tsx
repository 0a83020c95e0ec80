import { Link } from '@tanstack/react-router'
import { File, Folder, X } from 'lucide-react'
import { type Child, packagePlace, useEntries } from '../../api/packages.ts'
import { type Place, packagePage } from '../../api/place.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { Facts } from '../../ui/Facts.tsx'
import { numberOf, sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import type { TableColumn } from '../../ui/Table.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { AboutFolder, aboutFiles } from '../preview/AboutFolder.tsx'
import { Preview } from '../preview/Preview.tsx'
import { SaveLink } from '../preview/SaveLink.tsx'
import { entrySize, nameOf, type PackagePlace, shortHash } from './usePackageAt.ts'

const COLUMNS: readonly TableColumn<Child>[] = [
  {
    name: 'Size',
    className: 'w-28 text-right whitespace-nowrap text-ink-2 tabular-nums max-md:pr-4',
    cell: ({ kind, size, totalBytes }) => (kind === 'directory' ? sizeOf(totalBytes ?? 0) : entrySize(size)),
  },
  {
    name: 'Hash',
    className: 'w-32 truncate font-mono text-xs text-ink-3 max-md:hidden',
    title: ({ hash }) => (hash ? `${hash.type} ${hash.value}` : undefined),
    cell: ({ hash }) => hash && shortHash(hash.value),
  },
]

interface EntriesProps {
  readonly place: PackagePlace
  /** Hash of the shown revision. */
  readonly hash: string
}

/** Contents of a package by folder, with the open entry beside it, or the folder's description below it. */
export function Entries({ place, hash }: EntriesProps) {
  const { at, path, entry } = place
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useEntries(packagePlace(at), path)
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />
  const children = data.pages.flatMap((page) => page.children)
  const loadMore = () => hasNextPage && !isFetchingNextPage && fetchNextPage()
  const folder = { collection: at.registry, within: `${at.namespace}/${at.name}@${hash}`, path }
  const files = children.filter(({ kind }) => kind !== 'directory').map(({ name }) => name)
  const hasAbout = entry === undefined && aboutFiles(files).length > 0
  return (
    <div className="flex min-h-0 flex-1">
      <div className={cn('flex min-w-0 flex-1 flex-col', entry && 'max-lg:hidden', hasAbout && 'overflow-y-auto')}>
        {children.length === 0 ? (
          <Empty title="This package is empty" />
        ) : (
          <VirtualTable
            label="Entries"
            columns={[{ name: 'Name', cell: (child) => <ChildName child={child} place={place} /> }, ...COLUMNS]}
            items={children}
            total={data.pages[0]?.totalChildren ?? children.length}
            keyOf={({ kind, name }) => `${kind} ${name}`}
            isCurrent={({ name }) => (path === '' ? name : `${path}/${name}`) === entry}
            onEnd={loadMore}
            {...(hasAbout && { className: 'max-h-[max(200px,45vh)] flex-none' })}
          />
        )}
        {hasAbout && <AboutFolder folder={folder} files={files} />}
      </div>
      {entry !== undefined && (
        <EntryView
          key={entry}
          place={place}
          entry={{ ...folder, path: entry }}
          child={path === parentOf(entry) ? children.find(({ name }) => name === nameOf(entry)) : undefined}
        />
      )}
    </div>
  )
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function ChildName({ child, place: { at, path, entry } }: { readonly child: Child; readonly place: PackagePlace }) {
  const { kind, name, totalEntries } = child
  const childPath = path === '' ? name : `${path}/${name}`
  const isFolder = kind === 'directory'
  const [Icon, look] = isFolder ? [Folder, 'text-accent'] : [File, 'text-ink-3']
  return (
    <span className="flex items-center gap-2">
      <Icon aria-label={isFolder ? 'Folder' : 'Entry'} className={cn('size-4 shrink-0', look)} />
      <Link
        {...packagePage(at, isFolder ? { path: childPath } : { ...(path !== '' && { path }), entry: childPath })}
        aria-current={entry === childPath ? 'true' : undefined}
        title={name}
        className="truncate hover:underline"
      >
        <Name text={name} />
      </Link>
      {isFolder && <span className="shrink-0 text-xs text-ink-3 tabular-nums">{numberOf(totalEntries ?? 0)}</span>}
    </span>
  )
}

interface EntryViewProps {
  readonly place: PackagePlace
  /** The entry, in the shown revision. */
  readonly entry: Place
  /** The entry's row in the listing; absent if another folder is listed. */
  readonly child: Child | undefined
}

/** One entry: its facts from the manifest, and its content. */
function EntryView({ place: { go }, entry, child }: EntryViewProps) {
  const { path } = entry
  return (
    <section aria-label={nameOf(path)} className="flex min-w-0 flex-1 flex-col border-line lg:border-l">
      <header className="flex min-h-9 shrink-0 items-center gap-2 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 py-1 font-mono wrap-anywhere text-xs font-medium">
          <Name text={path} />
        </h2>
        <SaveLink place={entry} />
        <IconButton icon={X} label="Close the entry" onClick={() => go({ entry: undefined })} />
      </header>
      {child && <AboutEntry child={child} />}
      <Preview key={path} place={entry} />
    </section>
  )
}

function AboutEntry({ child: { size, hash, physicalKey, userMeta } }: { readonly child: Child }) {
  const sum = hash && (
    <span className="flex items-center gap-1">
      <code className="min-w-0">{hash.value}</code>
      <Copy text={hash.value} label="Copy the hash" />
    </span>
  )
  const hasMeta = userMeta !== null && userMeta !== undefined
  return (
    <Scroll label="About the entry" className="max-h-[40%] shrink-0 overflow-y-auto border-y border-line">
      <Facts
        facts={[
          ['Size', entrySize(size)],
          [hash?.type ?? 'Hash', sum],
          ['Stored at', physicalKey && <Name key="key" className="font-mono" text={physicalKey} />],
          ['Metadata', hasMeta ? <JsonValue key="meta" value={userMeta} /> : undefined],
        ]}
        className="items-center gap-x-3 px-4 py-2 text-xs"
      />
    </Scroll>
  )
}
