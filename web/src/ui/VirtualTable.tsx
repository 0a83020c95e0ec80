import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cn } from './cn.ts'
import { VirtualRows } from './VirtualRows.tsx'

interface Column {
  readonly name: string
  readonly className?: string
}

interface VirtualTableProps<Item> {
  readonly label: string
  readonly columns: readonly Column[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** The cells of a row: as many `<td>` as there are columns. */
  readonly cells: (item: Item) => ReactNode
  /** Whether a row is what is looked at beside the table. */
  readonly isCurrent?: (item: Item) => boolean
  /** How many there are in all, where not all are loaded. */
  readonly total?: number
  /** Called when the end is near. */
  readonly onEnd?: () => void
  readonly className?: string
}

/** Height of a row, in pixels. */
const ROW = 32

const ROW_LOOK =
  'hover:bg-surface [&>td]:h-8 [&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td:first-child]:pl-4 [&>td:last-child]:pr-4'

/** Rows before the end at which more are asked for. */
const NEAR = 200

/** A table of any length: only the rows that are seen are in the page. */
export function VirtualTable<Item>(props: VirtualTableProps<Item>) {
  const { label, columns, items, keyOf, cells, isCurrent, total = items.length, onEnd, className } = props
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
  return (
    <section
      ref={scroller}
      onKeyDown={moveInRows}
      className={cn('min-h-0 flex-1 overflow-y-auto', className)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
      aria-label={label}
    >
      <table aria-rowcount={total + 1} className="w-full table-fixed border-separate border-spacing-0 text-sm">
        <thead>
          <tr>
            {columns.map(({ name, className: width }) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  'sticky top-0 z-1 h-8 border-b border-line bg-canvas px-2 text-left text-xs font-medium text-ink-3 first:pl-4 last:pr-4',
                  width,
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <VirtualRows virtual={virtual}>
            {(index) => {
              const item = items[index]
              return (
                item !== undefined && (
                  <tr
                    key={keyOf(item)}
                    aria-rowindex={index + 2}
                    className={cn(ROW_LOOK, isCurrent?.(item) && 'bg-selected hover:bg-selected')}
                  >
                    {cells(item)}
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

/** Arrow keys go from the link of one row to that of the next. */
function moveInRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a, tbody button')]
  const at = links.findIndex((link) => link.contains(document.activeElement))
  if (step === undefined || at === -1) return
  event.preventDefault()
  links[at + step]?.focus()
  links[at + step]?.scrollIntoView({ block: 'nearest' })
}
