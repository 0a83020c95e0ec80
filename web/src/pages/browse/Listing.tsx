import { Link } from '@tanstack/react-router'
import { FileX, Folder, type LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import { browseAt, childOf, type Place } from '../../api/place.ts'
import { type Entry, problemOf } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { countOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import type { TableColumn } from '../../ui/Table.tsx'
import { Age } from '../../ui/Time.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { kindOf, previewOf } from '../preview/kinds.tsx'

interface ListingProps {
  readonly place: Place
  readonly entries: readonly Entry[]
  /** The name of the entry that is shown beside the list. */
  readonly current?: string
  /** Whether the list shows names only. */
  readonly isNarrow?: boolean
  readonly className?: string
}

const ABOUT: TableColumn<Entry> = {
  name: 'About',
  className: 'truncate text-ink-3 max-md:hidden',
  title: (entry) => entry.context ?? problemOf(entry) ?? entry.title,
  cell: (entry) => <About entry={entry} />,
}

const SIZE_AND_CHANGED: readonly TableColumn<Entry>[] = [
  {
    name: 'Size',
    className: 'w-24 text-right whitespace-nowrap text-ink-2 tabular-nums max-md:w-20 max-sm:pr-4',
    cell: ({ size, documents }) => (
      <>
        {size !== undefined && sizeOf(size)}
        {documents !== undefined && <span className="text-ink-3">{countOf(documents, 'doc')}</span>}
      </>
    ),
  },
  {
    name: 'Changed',
    className: 'w-28 text-right whitespace-nowrap text-ink-3 tabular-nums max-sm:hidden',
    cell: ({ modifiedAt }) => <Age time={modifiedAt} />,
  },
]

export function Listing({ place, entries, current, isNarrow = false, className }: ListingProps) {
  const hasAbout = useMemo(() => entries.some((entry) => entry.title ?? entry.context ?? problemOf(entry)), [entries])
  const name: TableColumn<Entry> = {
    name: 'Name',
    ...(isNarrow && { className: 'border-transparent pl-3!' }),
    cell: (entry, isReached) => (
      <EntryLink {...{ entry, isReached }} place={childOf(place, entry.name)} isCurrent={entry.name === current} />
    ),
  }
  return (
    <VirtualTable
      label={isNarrow ? 'In the same folder' : 'Contents of the folder'}
      columns={isNarrow ? [name] : [name, ...(hasAbout ? [ABOUT] : []), ...SIZE_AND_CHANGED]}
      items={entries}
      keyOf={({ name }) => name}
      isCurrent={({ name }) => name === current}
      isMain={!isNarrow}
      isBare={isNarrow}
      className={cn('flex-none', className)}
    />
  )
}

interface EntryLinkProps {
  readonly place: Place
  readonly entry: Entry
  readonly isCurrent: boolean
  readonly isReached: boolean
}

function EntryLink({ place, entry, isCurrent, isReached }: EntryLinkProps) {
  const { name, kind, isIndexed, why } = entry
  const Icon = iconOf(entry)
  const isFolder = kind === 'directory'
  const isLeftOut = kind === 'file' ? isIndexed === false : why !== undefined
  return (
    <Link
      {...browseAt(place.collection, place.path)}
      // Entries of the kind `other` cannot be opened.
      preload={kind === 'other' ? false : 'intent'}
      tabIndex={isReached ? 0 : -1}
      aria-current={isCurrent ? 'page' : undefined}
      title={name}
      className="flex items-center gap-2 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      <Icon
        aria-label={isFolder ? 'Folder' : 'File'}
        className={cn('size-4 shrink-0', isFolder ? 'text-accent' : 'text-ink-3')}
      />
      <Name className={cn('truncate', isLeftOut && 'text-ink-3')} text={name} />
    </Link>
  )
}

/** The description of an entry, the reason why searches do not find it, or its title. */
function About({ entry }: { readonly entry: Entry }) {
  const { name, title, context } = entry
  const problem = problemOf(entry)
  if (context !== undefined) {
    return (
      <span className="text-ink-2">
        <span aria-hidden className="mr-1.5 inline-block size-2 rounded-[2px] bg-kind-path" />
        {context}
      </span>
    )
  }
  if (problem !== undefined) return <span className={entry.isStale ? 'text-warn' : undefined}>{problem}</span>
  return <Name text={title === name ? undefined : title} />
}

function iconOf({ kind, name }: Entry): LucideIcon {
  if (kind === 'other') return FileX
  return kind === 'directory' ? Folder : previewOf(kindOf(name)).icon
}
