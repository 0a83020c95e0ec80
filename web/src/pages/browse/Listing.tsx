import { Link } from '@tanstack/react-router'
import { FileX, Folder, type LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import { childOf, type Place } from '../../api/place.ts'
import { type Entry, problemOf } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { ageOf, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'
import { kindOf, previewOf } from '../preview/kinds.tsx'

interface ListingProps {
  readonly place: Place
  readonly entries: readonly Entry[]
  /** The name of the entry that is shown beside the list. */
  readonly current?: string
  /** Names alone. */
  readonly isNarrow?: boolean
  readonly className?: string
}

const NAME = { name: 'Name' }
const ABOUT = { name: 'About', className: 'max-md:hidden' }
const OTHERS = [
  { name: 'Size', className: 'w-24 text-right max-md:w-20' },
  { name: 'Changed', className: 'w-28 text-right max-sm:hidden' },
]

/** Entries of a folder. */
export function Listing({ place, entries, current, isNarrow = false, className }: ListingProps) {
  const hasAbout = useMemo(() => entries.some((entry) => entry.title ?? entry.context ?? problemOf(entry)), [entries])
  return (
    <VirtualTable
      label={isNarrow ? 'In the same folder' : 'Contents of the folder'}
      columns={isNarrow ? [NAME] : [NAME, ...(hasAbout ? [ABOUT] : []), ...OTHERS]}
      items={entries}
      keyOf={({ name }) => name}
      cells={(entry, isReached) => (
        <>
          <td>
            <EntryLink
              place={childOf(place, entry.name)}
              entry={entry}
              isCurrent={entry.name === current}
              isReached={isReached}
            />
          </td>
          {!isNarrow && hasAbout && <About entry={entry} />}
          {!isNarrow && <SizeAndAge entry={entry} />}
        </>
      )}
      isCurrent={({ name }) => name === current}
      isMain={!isNarrow}
      isBare={isNarrow}
      className={cn('flex-none', isNarrow && '[&_td]:border-transparent! [&_td]:pl-3!', className)}
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
      to="/browse/$collection/$"
      params={{ collection: place.collection, _splat: place.path }}
      // A disabled entry says why it cannot be opened.
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

/** The description of an entry; else its own title, or why a search does not find it. */
function About({ entry }: { readonly entry: Entry }) {
  const { name, title, context } = entry
  const problem = problemOf(entry)
  return (
    <td className="truncate text-ink-3 max-md:hidden" title={context ?? problem ?? title}>
      {context !== undefined && (
        <span className="text-ink-2">
          <span aria-hidden className="mr-1.5 inline-block size-2 rounded-[2px] bg-kind-path" />
          {context}
        </span>
      )}
      {context === undefined && problem === undefined && <Name text={title === name ? undefined : title} />}
      {context === undefined && <span className={entry.isStale ? 'text-warn' : undefined}>{problem}</span>}
    </td>
  )
}

function SizeAndAge({ entry: { size, documents, modifiedAt } }: { readonly entry: Entry }) {
  return (
    <>
      <td className="text-right whitespace-nowrap text-ink-2 tabular-nums">
        {size !== undefined && sizeOf(size)}
        {documents !== undefined && <span className="text-ink-3">{numberOf(documents)} docs</span>}
      </td>
      <td className="text-right whitespace-nowrap text-ink-3 tabular-nums max-sm:hidden">
        {modifiedAt !== undefined && (
          <time dateTime={modifiedAt} title={momentOf(modifiedAt)}>
            {ageOf(modifiedAt)}
          </time>
        )}
      </td>
    </>
  )
}

function iconOf({ kind, name }: Entry): LucideIcon {
  if (kind === 'other') return FileX
  return kind === 'directory' ? Folder : previewOf(kindOf(name)).icon
}
