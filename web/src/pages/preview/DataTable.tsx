import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { bytesUrl, readBytes } from '../../api/bytes.ts'
import { fetchOrThrow } from '../../api/call.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { cn } from '../../ui/cn.ts'
import { countOf, numberOf, sizeOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Empty, Skeleton } from '../../ui/State.tsx'
import { VirtualRows } from '../../ui/VirtualTable.tsx'
import { formatOf } from './data/formats.ts'
import { Reader } from './data/reader.ts'
import { MOST_COLUMNS, type Sorting, type TableHead, type TableRow } from './data/table-data.ts'

/** Height of a row, in pixels. */
const ROW = 28

/** CSV, TSV, Parquet or Arrow as a table, sorted by a click on a column. Only visible rows are in the page. */
export function DataTable({ place }: { readonly place: Place }) {
  const table = useTable(place)
  const { head, error, parts, requestRows, row } = table
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: head?.rows ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 800, height: 800 },
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: after sorting, the same rows are requested again.
  useEffect(() => {
    if (head && head.rows > 0) requestRows(first, last)
  }, [head, first, last, requestRows, parts])
  if (error) {
    return (
      <Empty title="The table cannot be shown">
        <PlainText text={error instanceof Error ? error.message : String(error)} />
      </Empty>
    )
  }
  if (!head) return <Skeleton rows={10} />
  if (head.columns.length === 0) return <Empty title="The table is empty" />
  return (
    <div className="flex h-full min-h-40 flex-col">
      <Facts head={head} isSorting={table.isSorting} />
      <Scroll
        ref={scroller}
        label={`Rows of ${nameOf(place)}`}
        aria-busy={table.isSorting}
        className="min-h-0 flex-1 overflow-auto border-t border-line"
      >
        <table aria-rowcount={head.rows + 1} className="table-fixed border-separate border-spacing-0 text-xs">
          <Heads head={head} sorting={table.sorting} onSort={table.sort} />
          <tbody className="tabular-nums">
            <VirtualRows virtual={virtual}>
              {(index) => <Row key={index} index={index} row={row(index)} head={head} />}
            </VirtualRows>
          </tbody>
        </table>
      </Scroll>
    </div>
  )
}

/** The size and the problems of a table. */
function Facts({ head, isSorting }: { readonly head: TableHead; readonly isSorting: boolean }) {
  const { rows, total, columnCount, ragged, notes } = head
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-4 gap-y-0.5 px-4 py-1 text-xs text-ink-3 tabular-nums">
      <p role="status">
        {countOf(rows, 'row')}
        {total !== undefined && ` of ${numberOf(total)}`}, {countOf(columnCount, 'column')}
        {columnCount > MOST_COLUMNS && `, of which ${numberOf(MOST_COLUMNS)} are shown`}
        {isSorting && ' · Sorting…'}
      </p>
      {ragged && (
        <p className="text-warn">
          {countOf(ragged.count, 'row')} with a different number of cells than the header:{' '}
          {ragged.first.map(numberOf).join(', ')}
          {ragged.count > ragged.first.length && ', …'}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="wrap-anywhere">
          {note}
        </p>
      ))}
    </div>
  )
}

interface RowProps {
  readonly index: number
  readonly row: TableRow | undefined
  readonly head: TableHead
}

const ROW_HEAD = 'bg-surface text-right font-normal text-ink-3'
const CELL = 'truncate border-r border-b border-line px-2'

function Row({ index, row, head }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} data-ragged={row?.isRagged || undefined} className="h-7 hover:bg-surface">
      <th scope="row" className={cn(CELL, ROW_HEAD, row?.isRagged && 'font-medium text-warn')}>
        {row && numberOf(row.number)}
        {row?.isRagged && <span className="sr-only"> (a different number of cells)</span>}
      </th>
      {head.columns.map(({ name, isNumeric }, at) => {
        const cell = row?.cells[at]
        const isMissing = row !== undefined && cell === undefined
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name.
            key={at}
            title={isMissing ? `${name}: no cell` : `${name}: ${cell ?? ''}`}
            className={cn(CELL, isNumeric && 'text-right', isMissing && 'bg-raised')}
          >
            {cell !== undefined && <PlainText text={cell} />}
          </td>
        )
      })}
    </tr>
  )
}

interface HeadsProps {
  readonly head: TableHead
  readonly sorting: Sorting | undefined
  onSort(sorting: Sorting | undefined): void
}

const HEAD = 'sticky top-0 z-[1] h-7 border-r border-b border-line bg-surface p-0 font-medium'

function Heads({ head, sorting, onSort }: HeadsProps) {
  const digits = numberOf(head.rows).length
  const SortIcon = sorting?.descends ? ArrowDown : ArrowUp
  return (
    <thead>
      <tr>
        <th scope="col" className={HEAD} style={{ width: `calc(${digits}ch + 20px)` }}>
          <span className="sr-only">Row</span>
        </th>
        {head.columns.map(({ name, type, isNumeric, width }, at) => {
          const isSorted = sorting?.column === at
          const label = name === '' ? `Column ${at + 1}` : name
          return (
            <th
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name.
              key={at}
              scope="col"
              aria-sort={isSorted ? (sorting.descends ? 'descending' : 'ascending') : 'none'}
              style={{ width: `calc(${Math.max(width, (type ?? '').length)}ch + 20px)` }}
              className={HEAD}
            >
              <button
                type="button"
                title={`${label}${type === undefined ? '' : ` (${type})`}`}
                aria-description="Sort by this column"
                // Ascending, descending, then the order of the file.
                onClick={() => onSort(isSorted && sorting.descends ? undefined : { column: at, descends: isSorted })}
                className={cn('flex h-7 w-full items-center gap-1 px-2', isNumeric && 'justify-end')}
              >
                <PlainText as="span" title={label} className={cn('truncate', !name && 'text-ink-3')} text={label} />
                {isSorted && <SortIcon aria-hidden className="size-3 shrink-0" />}
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Maximum bytes to read of a table. */
const MOST_TABLE = 32 * 1024 * 1024

/** Number of rows in a request. */
const PART = 200

/** A table in a worker, with the rows that the page shows. */
function useTable(place: Place) {
  const [state, setState] = useState<{ readonly head?: TableHead; readonly error?: unknown }>({})
  const [sorting, setSorting] = useState<Sorting>()
  const [isSorting, setIsSorting] = useState(false)
  const reader = useRef<Reader>(undefined)
  // Rows by part: part n has the `PART` rows from row n × `PART`. Parts arrive one by one.
  const [parts, setParts] = useState<ReadonlyMap<number, readonly TableRow[]>>(new Map())
  const requested = useRef(new Set<number>())

  useEffect(() => {
    const aborting = new AbortController()
    const newReader = new Reader()
    reader.current = newReader
    openTable(newReader, place, aborting.signal).then(
      (head) => aborting.signal.aborted || setState({ head }),
      (error: unknown) => aborting.signal.aborted || setState({ error }),
    )
    return () => {
      aborting.abort()
      newReader.close()
    }
  }, [place])

  const requestRows = useCallback((from: number, to: number) => {
    for (let part = Math.floor(from / PART); part <= Math.floor(to / PART); part++) {
      if (requested.current.has(part)) continue
      const current = requested.current.add(part)
      reader.current?.ask<TableRow[]>({ type: 'rows', from: part * PART, to: (part + 1) * PART }).then(
        // Rows in an order that is no longer requested are dropped.
        (rows) => requested.current === current && setParts((before) => new Map(before).set(part, rows)),
        (error: unknown) => setState({ error }),
      )
    }
  }, [])

  const sort = async (next: Sorting | undefined) => {
    setSorting(next)
    setIsSorting(true)
    try {
      await reader.current?.ask({ type: 'sort', sorting: next })
      requested.current = new Set()
      setParts(new Map())
    } catch (error) {
      setState({ error })
    }
    setIsSorting(false)
  }
  const row = (index: number) => parts.get(Math.floor(index / PART))?.[index % PART]
  return { ...state, parts, sorting, isSorting, requestRows, sort, row }
}

async function openTable(reader: Reader, place: Place, signal: AbortSignal): Promise<TableHead> {
  const format = formatOf(nameOf(place))
  const size = format === 'parquet' ? await rangedSize(place, signal) : undefined
  if (size !== undefined) return reader.ask({ type: 'remote', url: bytesUrl(place), size })
  const { bytes, total, isCut } = await readBytes(place, MOST_TABLE, signal)
  if (isCut && (format === 'parquet' || format === 'arrow'))
    throw new Error(`Only files of up to ${sizeOf(MOST_TABLE)} can be shown as a table.`)
  const head = await reader.ask<TableHead>({ type: 'table', format, bytes, isCut }, [bytes.buffer])
  if (!isCut) return head
  const whole = total === undefined ? '' : ` of ${sizeOf(total)}`
  return { ...head, notes: [`Only the first ${sizeOf(MOST_TABLE)}${whole} are shown.`, ...head.notes] }
}

/** The size in bytes of a file that the server can send by ranges; undefined for other files. */
async function rangedSize(place: Place, signal: AbortSignal): Promise<number | undefined> {
  const { headers } = await fetchOrThrow(new Request(bytesUrl(place), { method: 'HEAD' }), { signal })
  const length = headers.get('content-length')
  return headers.get('accept-ranges') === 'bytes' && length !== null ? Number(length) : undefined
}
