import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { FileX, Folder, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { childOf, type Place } from '../../api/place.ts'
import { type Entry, problemOf } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { ageOf, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { kindOf, previewOf } from '../preview/kinds.tsx'

/** Height of a row, in pixels. */
const ROW = 32

interface ListingProps {
  readonly place: Place
  readonly entries: readonly Entry[]
  /** The name of the entry that is shown beside the list. */
  readonly current?: string
  /** Names alone. */
  readonly isNarrow?: boolean
  readonly className?: string
}

/** What a folder holds: a table of which only the rows that are seen are in the page. */
export function Listing({ place, entries, current, isNarrow = false, className }: ListingProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 800, height: 800 },
  })
  const focus = (index: number) => {
    const link = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)
    rows.scrollToIndex(index)
    // At once, so that the next key finds it; the row may have to be made first.
    if (link()) link()?.focus()
    else requestAnimationFrame(() => link()?.focus())
  }
  const { at, onKeyDown } = useArrows({ entries, current, isMain: !isNarrow, focus })
  const hasAbout = useMemo(() => entries.some((entry) => entry.title ?? entry.context ?? problemOf(entry)), [entries])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it.
    <div ref={scroller} onKeyDown={onKeyDown} className={cn('overflow-y-auto', className)}>
      <table
        aria-label={isNarrow ? 'In the same folder' : 'Contents of the folder'}
        aria-rowcount={entries.length + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
      >
        <Columns isNarrow={isNarrow} hasAbout={hasAbout} />
        <tbody>
          <VirtualRows virtual={rows}>
            {(index) => {
              const entry = entries[index]
              return (
                entry && (
                  <Row
                    key={entry.name}
                    index={index}
                    place={childOf(place, entry.name)}
                    entry={entry}
                    isCurrent={entry.name === current}
                    isNarrow={isNarrow}
                    isReached={index === at}
                    hasAbout={hasAbout}
                  />
                )
              )
            }}
          </VirtualRows>
        </tbody>
      </table>
    </div>
  )
}

interface Arrows {
  readonly entries: readonly Entry[]
  readonly current: string | undefined
  /** The list is what the page is about: arrows lead into it from nowhere in particular. */
  readonly isMain: boolean
  readonly focus: (index: number) => void
}

/** Arrow keys, Home and End move the focus; Tab leads in and out of the list as a whole. */
function useArrows({ entries, current, isMain, focus }: Arrows) {
  const start = Math.max(
    0,
    entries.findIndex(({ name }) => name === current),
  )
  const [at, setAt] = useState(start)
  useEffect(() => setAt(start), [start])
  const last = entries.length - 1
  const enter = useRef(() => {})
  enter.current = () => focus(Math.min(at, last))
  useEffect(() => {
    if (!isMain) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isArrow(event) || event.defaultPrevented || !isNowhere(document.activeElement)) return
      event.preventDefault()
      enter.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isMain])
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 20,
      PageUp: at - 20,
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const index = Math.min(last, Math.max(0, next))
    setAt(index)
    focus(index)
  }
  return { at: Math.min(at, last), onKeyDown }
}

function isArrow({ key, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent): boolean {
  return (key === 'ArrowDown' || key === 'ArrowUp') && !ctrlKey && !metaKey && !altKey
}

/** Whether the focus is on nothing in particular: arrows then lead into the list. */
function isNowhere(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.id === 'main'
}

const HEAD = 'sticky top-0 z-[1] h-8 border-b border-line bg-canvas px-2 text-left text-xs font-medium text-ink-3'

function Columns({ isNarrow, hasAbout }: { readonly isNarrow: boolean; readonly hasAbout: boolean }) {
  if (isNarrow) {
    return (
      <thead className="sr-only">
        <tr>
          <th scope="col">Name</th>
        </tr>
      </thead>
    )
  }
  return (
    <thead>
      <tr>
        <th scope="col" className={cn(HEAD, 'pl-4', hasAbout && 'md:w-2/5')}>
          Name
        </th>
        {hasAbout && (
          <th scope="col" className={cn(HEAD, 'max-md:hidden')}>
            About
          </th>
        )}
        <th scope="col" className={cn(HEAD, 'w-24 text-right max-md:w-20')}>
          Size
        </th>
        <th scope="col" className={cn(HEAD, 'w-28 pr-4 text-right max-sm:hidden')}>
          Changed
        </th>
      </tr>
    </thead>
  )
}

interface RowProps {
  readonly index: number
  readonly place: Place
  readonly entry: Entry
  readonly isCurrent: boolean
  readonly isNarrow: boolean
  /** Whether Tab leads here. */
  readonly isReached: boolean
  readonly hasAbout: boolean
}

const CELL = 'h-8 border-b border-line px-2'

function Row({ index, place, entry, isCurrent, isNarrow, isReached, hasAbout }: RowProps) {
  const Icon = iconOf(entry)
  const { name, kind, size, documents, modifiedAt } = entry
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      className={cn('relative hover:bg-surface', isCurrent && 'bg-selected hover:bg-selected')}
    >
      <td className={cn(CELL, 'pl-4', isNarrow && 'border-transparent pl-3')}>
        <Link
          to="/browse/$collection/$"
          params={{ collection: place.collection, _splat: place.path }}
          // What cannot be opened says why.
          preload={kind === 'other' ? false : 'intent'}
          tabIndex={isReached ? 0 : -1}
          aria-current={isCurrent ? 'page' : undefined}
          title={name}
          className="flex items-center gap-2 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          <Icon
            aria-label={kind === 'directory' ? 'Folder' : 'File'}
            className={cn('size-4 shrink-0', kind === 'directory' ? 'text-accent' : 'text-ink-3')}
          />
          <Name className={cn('truncate', isLeftOut(entry) && 'text-ink-3')} text={name} />
        </Link>
      </td>
      {!isNarrow && (
        <>
          {hasAbout && <About entry={entry} />}
          <td className={cn(CELL, 'text-right whitespace-nowrap text-ink-2 tabular-nums')}>
            {size !== undefined && sizeOf(size)}
            {documents !== undefined && <span className="text-ink-3">{numberOf(documents)} docs</span>}
          </td>
          <td className={cn(CELL, 'pr-4 text-right whitespace-nowrap text-ink-3 tabular-nums max-sm:hidden')}>
            {modifiedAt !== undefined && (
              <time dateTime={modifiedAt} title={momentOf(modifiedAt)}>
                {ageOf(modifiedAt)}
              </time>
            )}
          </td>
        </>
      )}
    </tr>
  )
}

/** What somebody said that it is for; else what it is called in itself, or why it is not found by searching. */
function About({ entry }: { readonly entry: Entry }) {
  const { name, title, context } = entry
  const problem = problemOf(entry)
  return (
    <td className={cn(CELL, 'truncate text-ink-3 max-md:hidden')} title={context ?? problem ?? title}>
      {context !== undefined && (
        <span className="text-ink-2">
          <span aria-hidden className="mr-1.5 inline-block size-2 rounded-[2px] bg-kind-path" />
          {context}
        </span>
      )}
      {context === undefined && problem === undefined && <Name text={title === name ? undefined : title} />}
      {context === undefined && problem !== undefined && (
        <span className={entry.isStale ? 'text-warn' : undefined}>{problem}</span>
      )}
    </td>
  )
}

function isLeftOut({ kind, isIndexed, why }: Entry): boolean {
  return kind === 'file' ? isIndexed === false : why !== undefined
}

function iconOf({ kind, name }: Entry): LucideIcon {
  if (kind === 'other') return FileX
  return kind === 'directory' ? Folder : previewOf(kindOf(name)).icon
}
