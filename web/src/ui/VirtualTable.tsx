import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from './cn.ts'
import { type TableColumn, TableHead } from './Table.tsx'

interface VirtualTableProps<Item> {
  readonly label: string
  readonly columns: readonly TableColumn<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Whether the item is shown beside the table. */
  readonly isCurrent?: (item: Item) => boolean
  /** Whether it is the main table of the page: arrow keys enter it when nothing has the focus. */
  readonly isMain?: boolean
  /** Whether only screen readers read the headers. */
  readonly isBare?: boolean
  /** Number of all items, if not all are loaded. */
  readonly total?: number
  /** Called when the end is near. */
  readonly onEnd?: () => void
  readonly className?: string
}

/** Height of a row, in pixels. */
const ROW = 32

const CELL = 'h-8 border-b border-line px-2 first:pl-4 last:pr-4'

/** Rows before the end at which `onEnd` is called. */
const NEAR = 200

/** A table of any length. Only visible rows are in the page. */
export function VirtualTable<Item>(props: VirtualTableProps<Item>) {
  const { label, columns, items, keyOf, isCurrent, total = items.length, onEnd, className } = props
  const { isMain = false, isBare = false } = props
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 16,
    initialRect: { width: 800, height: 800 },
    onChange: ({ range }) => {
      if (range && range.endIndex > items.length - NEAR) onEnd?.()
    },
  })
  const focus = (index: number) => {
    const link = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"] :is(a, button)`)
    virtual.scrollToIndex(index)
    // The row may still have to be rendered. Otherwise it gets the focus at once, so that the next key finds it.
    if (link()) link()?.focus()
    else requestAnimationFrame(() => link()?.focus())
  }
  const start = Math.max(0, isCurrent ? items.findIndex(isCurrent) : 0)
  const { reached, onKeyDown } = useRowKeys({ count: items.length, start, isMain, focus })
  return (
    <section
      ref={scroller}
      onKeyDown={onKeyDown}
      className={cn('min-h-0 flex-1 overflow-y-auto', className)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
      tabIndex={0}
      aria-label={label}
    >
      <table
        aria-label={label}
        aria-rowcount={total + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
      >
        <TableHead columns={columns} isBare={isBare} className="sticky top-0 z-1 bg-canvas" />
        <tbody>
          <VirtualRows virtual={virtual}>
            {(index) => {
              const item = items[index]
              return (
                item !== undefined && (
                  <tr
                    key={keyOf(item)}
                    data-row={index}
                    aria-rowindex={index + 2}
                    className={cn('relative hover:bg-surface', isCurrent?.(item) && 'bg-selected hover:bg-selected')}
                  >
                    {columns.map(({ name, className, title, cell }) => (
                      <td key={name} className={cn(CELL, className)} title={title?.(item)}>
                        {cell(item, index === reached)}
                      </td>
                    ))}
                  </tr>
                )
              )
            }}
          </VirtualRows>
        </tbody>
      </table>
    </section>
  )
}

interface RowKeys {
  readonly count: number
  /** The row that Tab focuses first. */
  readonly start: number
  readonly isMain: boolean
  readonly focus: (index: number) => void
}

/** Arrow keys, Page Up, Page Down, Home and End move the focus from row to row. */
function useRowKeys({ count, start, isMain, focus }: RowKeys) {
  const [reached, setReached] = useState(start)
  useEffect(() => setReached(start), [start])
  const last = count - 1
  const enter = useRef(() => {})
  enter.current = () => focus(Math.min(reached, last))
  useEffect(() => {
    if (!isMain) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isArrow = /^Arrow(Down|Up)$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isArrow || event.defaultPrevented || !hasNoFocus()) return
      event.preventDefault()
      enter.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isMain])
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-row]')
    const from = Number(row?.dataset.row ?? reached)
    const pages = { PageDown: from + 20, PageUp: from - 20 }
    const next = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: last, ...pages }[event.key]
    if (!row || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const index = Math.min(last, Math.max(0, next))
    setReached(index)
    focus(index)
  }
  return { reached: Math.min(reached, last), onKeyDown }
}

function hasNoFocus(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.id === 'main'
}

interface VirtualRowsProps {
  /** Rows of `useVirtualizer`. */
  readonly virtual: { getVirtualItems(): VirtualItem[]; getTotalSize(): number }
  /** A `<tr>` with its key. */
  readonly children: (index: number) => ReactNode
}

/** The visible rows of a table, with the height of the other rows before and after them. */
export function VirtualRows({ virtual, children }: VirtualRowsProps) {
  const shown = virtual.getVirtualItems()
  const [before, after] = [shown[0]?.start ?? 0, virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)]
  return (
    <>
      {before > 0 && <Gap height={before} />}
      {shown.map(({ index }) => children(index))}
      {after > 0 && <Gap height={after} />}
    </>
  )
}

function Gap({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  )
}
