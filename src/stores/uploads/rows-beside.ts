import { ContextError } from '../../core/errors.ts'
import { NO_BYTES } from '../byte-store.ts'
import type { Cell, RowStore, Rows } from '../row-store.ts'
import { areBytesLost, sha256Of, type Uploads } from './uploads.ts'

/** A row of bytes. */
interface Bytes {
  readonly sha256: string
  readonly data: Uint8Array
  readonly key: string | null
}

const TABLE = 'research_bytes'
const COLUMNS = ['sha256', 'data', 'key'] as const

/** All that is kept, with the bytes of uploads as they are: where they lie concerns this database alone. */
export function rowsWithUploads(rows: RowStore, uploads: Uploads): RowStore {
  return {
    counted: () => rows.counted(),
    isEmpty: () => rows.isEmpty(),
    read: (each) =>
      rows.read(async (group) => {
        if (group.table !== TABLE) return each(group)
        for (const row of group.rows) await each(rowOf(await whole(bytesIn(group, row), uploads)))
      }),
    write: async (given, options) => {
      // A transaction may have the one connection that there is.
      await uploads.prefix()
      const put: string[] = []
      try {
        await rows.write(apart(given, uploads, put), options)
      } catch (error) {
        await unlessWritten(error, put, uploads)
        throw error
      }
      await uploads.tidy().catch(() => {})
    },
  }
}

function bytesIn({ columns }: Rows, row: readonly Cell[]): Bytes {
  const [sha256, data, key] = COLUMNS.map((name) => row[columns.indexOf(name)] ?? null)
  return {
    sha256: String(sha256),
    data: data instanceof Uint8Array ? data : NO_BYTES,
    key: typeof key === 'string' ? key : null,
  }
}

function rowOf(row: Bytes): Rows {
  return { table: TABLE, columns: COLUMNS, rows: [COLUMNS.map((name) => row[name])] }
}

/** Lost bytes are empty: reading them fails later, and everything else is moved. */
async function whole(row: Bytes, uploads: Uploads): Promise<Bytes> {
  if (row.key === null) return row
  try {
    return { ...row, data: await uploads.readAt(row.sha256, { key: row.key }), key: null }
  } catch (error) {
    if (areBytesLost(error)) return { ...row, key: null }
    throw error
  }
}

/** Bytes go to objects, one after the other: each may be large. Their keys are added to `put`. */
async function* apart(given: AsyncIterable<Rows>, uploads: Uploads, put: string[]): AsyncGenerator<Rows> {
  for await (const group of given) {
    if (group.table !== TABLE) yield group
    else for (const row of group.rows) yield rowOf(await placeBytes(bytesIn(group, row), uploads, put))
  }
}

/** What is not what its hash says is left as it is: it was lost before. */
async function placeBytes(row: Bytes, uploads: Uploads, put: string[]): Promise<Bytes> {
  if (row.key !== null) return KEY.exec(row.key)?.[1] === row.sha256 ? row : { ...row, key: null }
  if (sha256Of(row.data) !== row.sha256) return row
  const { key } = await uploads.put(row.sha256, row.data)
  put.push(key)
  return { ...row, data: NO_BYTES, key }
}

/** Of a database that this one takes the place of, an object is where it was. No other object is named by a file. */
const KEY = /^uploads\/[0-9a-f]{32}\/[0-9a-f]{2}\/([0-9a-f]{64})\.[0-9a-f]{16}$/

/** Takes away the objects of rows that were not written. Where that is not known for certain, the sweep looks later. */
async function unlessWritten(error: unknown, put: readonly string[], uploads: Uploads): Promise<void> {
  if (error instanceof ContextError && error.code === 'unavailable') return
  const used = await uploads.store.used(put).catch(() => undefined)
  for (const key of put) if (used && !used.has(key)) await uploads.remove({ key })
}
