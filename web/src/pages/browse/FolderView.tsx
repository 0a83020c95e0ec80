import { useState } from 'react'
import { useStatus } from '../../api/collections.ts'
import { nameOf } from '../../api/place.ts'
import type { Entry, PlaceContent } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { Input } from '../../ui/Field.tsx'
import { counted, numberOf } from '../../ui/format.ts'
import { Empty } from '../../ui/State.tsx'
import { Descriptions } from '../descriptions/Descriptions.tsx'
import { IndexButton } from '../IndexButton.tsx'
import { AboutFolder, aboutFiles } from '../preview/AboutFolder.tsx'
import { Details } from './Details.tsx'
import { Listing } from './Listing.tsx'

/** Entries from which on a field to filter them is there. */
const MANY = 12

/** A folder: what it is for, what it holds, and its README. */
export function FolderView({ found: { place, entries, isPartial } }: { readonly found: PlaceContent }) {
  const [filter, setFilter] = useState('')
  const shown =
    filter === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  const hasAbout = aboutFiles(files).length > 0
  return (
    <div className="flex h-full flex-col overflow-y-auto" key={`${place.collection}/${place.path}`}>
      <h1 className="sr-only">{nameOf(place)}</h1>
      <Descriptions place={place} />
      <Unindexed collection={place.collection} />
      {entries.length === 0 ? (
        <Empty title="This folder is empty">New files appear when {place.collection} is indexed again.</Empty>
      ) : (
        <>
          <div className="flex h-10 shrink-0 items-center gap-3 px-4 text-xs text-ink-3 tabular-nums">
            <span className="flex-1" role="status">
              {filter !== '' && `${numberOf(shown.length)} of `}
              {summed(entries)}
              {isPartial && ', and more on the way'}
            </span>
            {entries.length >= MANY && (
              <Input
                type="search"
                aria-label="Filter by name"
                placeholder="Filter…"
                value={filter}
                onChange={({ target }) => setFilter(target.value)}
                className="h-7 w-44"
              />
            )}
          </div>
          <Listing
            place={place}
            entries={shown}
            className={cn(hasAbout ? 'max-h-[max(240px,55vh)] shrink-0' : 'min-h-60 flex-1')}
          />
        </>
      )}
      {hasAbout && <AboutFolder folder={place} files={files} />}
      <Details place={place} />
    </div>
  )
}

/** Said of a collection that was never indexed, with what mends it. */
function Unindexed({ collection }: { readonly collection: string }) {
  const { data } = useStatus()
  const found = data?.collections.find(({ name }) => name === collection)
  if (!found || found.indexedAt !== undefined) return null
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 py-1.5">
      <p className="min-w-0 flex-1 leading-5">
        This collection is not indexed yet: its files can be read, but not searched.
      </p>
      <IndexButton collection={collection} />
    </div>
  )
}

function summed(entries: readonly Entry[]): string {
  const folders = entries.filter(({ kind }) => kind === 'directory').length
  const files = entries.length - folders
  const parts = [folders > 0 && counted(folders, 'folder'), files > 0 && counted(files, 'file')]
  return parts.filter(Boolean).join(', ')
}
