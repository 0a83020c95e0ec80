import { useCallback, useEffect, useRef, useState } from 'react'
import { bytesOf, readBytes } from '../../../api/bytes.ts'
import { fetchOrThrow } from '../../../api/call.ts'
import { nameOf, type Place } from '../../../api/place.ts'
import { sizeOf } from '../../../ui/format.ts'
import { type Format, formatOf } from './formats.ts'
import { Reader } from './reader.ts'
import type { Sorting, TableHead, TableRow } from './table-data.ts'

/** Bytes of a table that are read. */
export const MOST_TABLE = 32 * 1024 * 1024

/** Rows that are asked for at once. */
const PART = 200

/** A table that a worker holds, of which the page has the rows that it shows. */
export function useTable(place: Place) {
  const [state, setState] = useState<{ readonly head?: TableHead; readonly error?: unknown }>({})
  const [sorting, setSorting] = useState<Sorting>()
  const [isSorting, setIsSorting] = useState(false)
  const reader = useRef<Reader>(undefined)
  // What is shown changes when one of its parts comes.
  const [parts, setParts] = useState<ReadonlyMap<number, readonly TableRow[]>>(new Map())
  const asked = useRef(new Set<number>())

  useEffect(() => {
    const aborting = new AbortController()
    const own = new Reader()
    reader.current = own
    openTable(own, place, aborting.signal).then(
      (head) => aborting.signal.aborted || setState({ head }),
      (error: unknown) => aborting.signal.aborted || setState({ error }),
    )
    return () => {
      aborting.abort()
      own.close()
    }
  }, [place])

  const need = useCallback((from: number, to: number) => {
    for (let part = Math.floor(from / PART); part <= Math.floor(to / PART); part++) {
      if (asked.current.has(part)) continue
      const current = asked.current.add(part)
      reader.current?.ask<TableRow[]>({ type: 'rows', from: part * PART, to: (part + 1) * PART }).then(
        // What was asked for in another order is no answer.
        (rows) => asked.current === current && setParts((before) => new Map(before).set(part, rows)),
        (error: unknown) => setState({ error }),
      )
    }
  }, [])

  const sort = async (next: Sorting | undefined) => {
    setSorting(next)
    setIsSorting(true)
    try {
      await reader.current?.ask({ type: 'sort', sorting: next })
      asked.current = new Set()
      setParts(new Map())
    } catch (error) {
      setState({ error })
    }
    setIsSorting(false)
  }
  const row = (index: number) => parts.get(Math.floor(index / PART))?.[index % PART]
  return { ...state, parts, sorting, isSorting, need, sort, row }
}

async function openTable(reader: Reader, place: Place, signal: AbortSignal): Promise<TableHead> {
  const format = formatOf(nameOf(place))
  const size = format === 'parquet' ? await rangedSize(place, signal) : undefined
  if (size !== undefined) return reader.ask({ type: 'remote', url: bytesOf(place), size })
  const { bytes, total, isCut } = await readBytes(place, MOST_TABLE, signal)
  if (isCut && isWholeOnly(format))
    throw new Error(`Only files of up to ${sizeOf(MOST_TABLE)} can be shown as a table.`)
  const head = await reader.ask<TableHead>({ type: 'table', format, bytes, isCut }, [bytes.buffer])
  if (!isCut) return head
  const whole = total === undefined ? '' : ` of ${sizeOf(total)}`
  return { ...head, notes: [`Only the first ${sizeOf(MOST_TABLE)}${whole} are shown.`, ...head.notes] }
}

function isWholeOnly(format: Format): boolean {
  return format === 'parquet' || format === 'arrow'
}

/** Bytes of a file of which parts can be had. */
async function rangedSize(place: Place, signal: AbortSignal): Promise<number | undefined> {
  const { headers } = await fetchOrThrow(new Request(bytesOf(place), { method: 'HEAD' }), { signal })
  const length = headers.get('content-length')
  return headers.get('accept-ranges') === 'bytes' && length !== null ? Number(length) : undefined
}
