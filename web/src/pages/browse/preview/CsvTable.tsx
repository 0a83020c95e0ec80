import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import Papa from 'papaparse'
import { useMemo, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { counted, numberOf } from '../../../ui/format.ts'
import { Scroll } from '../../../ui/Scroll.tsx'
import { Empty } from '../../../ui/State.tsx'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'

/** Height of a row, in pixels, and widths of a column, in characters. */
const ROW = 28
const [LEAST, MOST] = [6, 44]

/** Rows whose cells say how wide a column is, and whether it holds numbers. */
const SAMPLE = 200

/** Columns that are shown. */
const MOST_COLUMNS = 200

type Sorting = { readonly column: number; readonly isDown: boolean } | undefined

/** A CSV file as a table: sorted by what is clicked, and with only those rows in the page that are seen. */
export function CsvTable({ text }: { readonly text: string }) {
  const table = useMemo(() => tableOf(text), [text])
  const [sorting, setSorting] = useState<Sorting>()
  const rows = useMemo(() => sorted(table, sorting), [table, sorting])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 800, height: 800 },
  })
  if (table.columns.length === 0) return <Empty title="The table is empty" />
  return (
    <div className="flex h-full min-h-40 flex-col">
      <p className="flex h-8 shrink-0 items-center px-4 text-xs text-ink-3 tabular-nums">
        {counted(rows.length, 'row')}, {counted(table.width, 'column')}
        {table.width > MOST_COLUMNS && `, of which ${numberOf(MOST_COLUMNS)} are shown`}
      </p>
      <Scroll ref={scroller} label="Rows" className="min-h-0 flex-1 overflow-auto border-t border-line">
        <table aria-rowcount={rows.length + 1} className="table-fixed border-separate border-spacing-0 text-xs">
          <Heads columns={table.columns} sorting={sorting} onSort={setSorting} />
          <tbody className="tabular-nums">
            <VirtualRows virtual={virtual}>
              {(index) => (
                <tr key={index} aria-rowindex={index + 2} className="h-7 hover:bg-surface">
                  {table.columns.map(({ name, isNumeric }, at) => (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name.
                      key={at}
                      title={`${name}: ${rows[index]?.[at] ?? ''}`}
                      className={cn('truncate border-r border-b border-line px-2', isNumeric && 'text-right')}
                    >
                      {rows[index]?.[at]}
                    </td>
                  ))}
                </tr>
              )}
            </VirtualRows>
          </tbody>
        </table>
      </Scroll>
    </div>
  )
}

interface Column {
  readonly name: string
  readonly isNumeric: boolean
  /** In characters. */
  readonly width: number
}

interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** Columns that there are. */
  readonly width: number
}

function tableOf(text: string): Table {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true })
  const [head = [], ...rows] = data
  const columns = head.slice(0, MOST_COLUMNS).map((name, at): Column => {
    const cells = rows.slice(0, SAMPLE).map((row) => row[at] ?? '')
    const longest = Math.max(name.length + 2, ...cells.map((cell) => cell.length))
    const isNumeric = cells.some((cell) => cell !== '') && cells.every((cell) => cell === '' || isNumber(cell))
    return { name, isNumeric, width: Math.min(MOST, Math.max(LEAST, longest)) }
  })
  return { columns, rows, width: head.length }
}

function isNumber(cell: string): boolean {
  return /^\s*[-+]?[\d.,]*\d(e[-+]?\d+)?\s*%?\s*$/i.test(cell)
}

function sorted({ rows, columns }: Table, sorting: Sorting): Table['rows'] {
  if (!sorting) return rows
  const { column, isDown } = sorting
  const compare = columns[column]?.isNumeric ? byNumber : COLLATOR.compare
  const sign = isDown ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(a[column] ?? '', b[column] ?? ''))
}

const COLLATOR = new Intl.Collator('en')

function byNumber(a: string, b: string): number {
  return Number.parseFloat(a.replaceAll(',', '')) - Number.parseFloat(b.replaceAll(',', ''))
}

interface HeadsProps {
  readonly columns: readonly Column[]
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

function Heads({ columns, sorting, onSort }: HeadsProps) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, isNumeric, width }, at) => {
          const isSorted = sorting?.column === at
          return (
            <th
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name.
              key={at}
              scope="col"
              aria-sort={isSorted ? (sorting.isDown ? 'descending' : 'ascending') : 'none'}
              style={{ width: `calc(${width}ch + 20px)` }}
              className="sticky top-0 z-[1] h-7 border-r border-b border-line bg-surface p-0 font-medium"
            >
              <button
                type="button"
                onClick={() => onSort({ column: at, isDown: isSorted && !sorting.isDown })}
                className={cn('flex h-7 w-full items-center gap-1 px-2', isNumeric && 'justify-end')}
              >
                <span className="truncate">{name}</span>
                {isSorted &&
                  (sorting.isDown ? (
                    <ArrowDown aria-hidden className="size-3" />
                  ) : (
                    <ArrowUp aria-hidden className="size-3" />
                  ))}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
