/** Reads tables and trees in a worker, so that a slow or large file does not block the page. */

import { decodeBytes } from '../../../api/decode.ts'
import type { Format } from './formats.ts'
import { readTree } from './read-tree.ts'
import { type Sorting, TableData } from './table-data.ts'

/** A request to the worker. */
export type ReaderRequest =
  | {
      readonly type: 'table'
      readonly format: Format
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly isCut: boolean
    }
  /** A file that is read in parts, by ranges of its bytes. */
  | { readonly type: 'remote'; readonly url: string; readonly size: number }
  | { readonly type: 'tree'; readonly format: Format; readonly text: string }
  | { readonly type: 'rows'; readonly from: number; readonly to: number }
  | { readonly type: 'sort'; readonly sorting: Sorting | undefined }

let table: TableData | undefined

async function answer(request: ReaderRequest): Promise<unknown> {
  switch (request.type) {
    case 'table':
      table = new TableData(await readTable(request))
      return table.head
    case 'remote': {
      const { readParquet } = await import('./read-parquet.ts')
      const { url, size } = request
      table = new TableData(
        await readParquet({ byteLength: size, slice: (from, to) => rangeOf(url, from, to ?? size) }),
      )
      return table.head
    }
    case 'tree':
      return readTree(request.text, request.format)
    case 'rows':
      return table?.rows(request.from, request.to) ?? []
    case 'sort':
      table?.sort(request.sorting)
      return null
  }
}

async function readTable({ format, bytes, isCut }: Extract<ReaderRequest, { readonly type: 'table' }>) {
  if (format === 'parquet') {
    const { readParquet } = await import('./read-parquet.ts')
    return readParquet({ byteLength: bytes.length, slice: (from, to) => bytes.slice(from, to).buffer })
  }
  if (format === 'arrow') return (await import('./read-arrow.ts')).readArrow(bytes)
  const decoded = decodeBytes(bytes, isCut)
  if (!decoded) throw new Error('The file is not text.')
  const { readCsv } = await import('./read-csv.ts')
  const read = readCsv(decoded.text, { isCut, ...(format === 'tsv' && { delimiter: '\t' }) })
  const notes = decoded.encoding === 'UTF-8' ? [] : [`Encoding: ${decoded.encoding}.`]
  return { ...read, notes: [...notes, ...(read.notes ?? [])] }
}

async function rangeOf(url: string, from: number, to: number): Promise<ArrayBuffer> {
  const response = await fetch(url, { headers: { Range: `bytes=${from}-${to - 1}` } })
  if (response.status !== 206) throw new Error(`The server answered ${response.status}.`)
  return response.arrayBuffer()
}

addEventListener('message', async ({ data: { id, request } }: MessageEvent<{ id: number; request: ReaderRequest }>) => {
  try {
    postMessage({ id, value: await answer(request) })
  } catch (error) {
    const isDeep = error instanceof RangeError
    const message = error instanceof Error ? error.message : String(error)
    postMessage({ id, problem: isDeep ? 'The file is nested too deeply, or too large.' : message })
  }
})
