/** A store whose uploads are in objects (of a directory or bucket) beside the database. */

import { ContextError } from '../../core/errors.ts'
import { NO_BYTES } from '../byte-store.ts'
import type { Cell, RowStore, Rows } from '../row-store.ts'
import type { RunStore } from '../run-store.ts'
import type { OwnerData, Store } from '../store.ts'
import { areBytesLost, sha256Of, type Uploads } from './uploads.ts'

export { moveUploadsOut, sweepOrphans, uploadsFinding } from './upkeep.ts'
export { Uploads } from './uploads.ts'

/**
 * Wraps a store so that uploads are in objects beside the database. Bytes that are still in the database stay readable.
 */
export function withExternalUploads(store: Store, uploads: Uploads): Store {
  const wrap = ({ conversations, runs }: OwnerData) => ({ conversations, runs: runsWithUploads(runs, uploads) })
  return {
    ...store,
    ...wrap(store),
    of: (owner) => wrap(store.of(owner)),
    rows: rowsWithUploads(store.rows, uploads),
    close: async () => {
      await uploads.close()
      await store.close()
    },
  }
}

function runsWithUploads(runs: RunStore, uploads: Uploads): RunStore {
  return {
    ...runs,
    addFile: async (session, file, bytes) => {
      if (!(bytes instanceof Uint8Array)) return runs.addFile(session, file, bytes)
      // Throws for an unknown session, before anything is written.
      await runs.files(session)
      const location = await uploads.put(file.sha256, bytes)
      const added = await runs.addFile(session, file, location).catch(async (error: unknown) => {
        // After other errors, the row may exist. Then the sweep deletes the object if it has no row.
        if (areBytesLost(error)) await uploads.remove(location)
        throw error
      })
      await uploads.resolveDuplicate(file.sha256, location)
      return added
    },
    bytes: (sha256, signal) => uploads.read(sha256, signal),
    remove: (id) => tidyAfter(runs.remove(id), uploads),
    removeFile: (session, file) => tidyAfter(runs.removeFile(session, file), uploads),
  }
}

/** After a removal, deletes the objects of the removed rows. If that fails, the next removal or the sweep deletes them. */
async function tidyAfter(removing: Promise<boolean>, uploads: Uploads): Promise<boolean> {
  const isRemoved = await removing
  if (isRemoved) await uploads.tidy().catch(() => {})
  return isRemoved
}

interface BytesRow {
  readonly sha256: string
  readonly data: Uint8Array
  readonly key: string | null
}

const BYTES_TABLE = 'research_bytes'
const COLUMNS = ['sha256', 'data', 'key'] as const

/** Wraps the rows for exports and imports. Exported rows contain the bytes, because objects belong to one database. */
function rowsWithUploads(rows: RowStore, uploads: Uploads): RowStore {
  return {
    ...rows,
    read: (onRows) =>
      rows.read(async (group) => {
        if (group.table !== BYTES_TABLE) return onRows(group)
        for (const row of group.rows) await onRows(writeBytesRow(await withBytes(readBytesRow(group, row), uploads)))
      }),
    write: async (groups, options) => {
      // Reads the prefix first, because the transaction may hold the only connection.
      await uploads.prefix()
      const keys: string[] = []
      try {
        await rows.write(moveOut(groups, uploads, keys), options)
      } catch (error) {
        await removeUnwritten(error, keys, uploads)
        throw error
      }
      await uploads.tidy().catch(() => {})
    },
  }
}

function readBytesRow({ columns }: Rows, row: readonly Cell[]): BytesRow {
  const [sha256, data, key] = COLUMNS.map((name) => row[columns.indexOf(name)] ?? null)
  return {
    sha256: String(sha256),
    data: data instanceof Uint8Array ? data : NO_BYTES,
    key: typeof key === 'string' ? key : null,
  }
}

function writeBytesRow(row: BytesRow): Rows {
  return { table: BYTES_TABLE, columns: COLUMNS, rows: [COLUMNS.map((name) => row[name])] }
}

/** A row with its bytes in the row. Lost bytes become empty, so that the other rows can be exported. */
async function withBytes(row: BytesRow, uploads: Uploads): Promise<BytesRow> {
  if (row.key === null) return row
  try {
    return { ...row, data: await uploads.readAt(row.sha256, { key: row.key }), key: null }
  } catch (error) {
    if (areBytesLost(error)) return { ...row, key: null }
    throw error
  }
}

/**
 * Moves the bytes of rows to objects, one row after the other, because the bytes may be large. Adds the keys of the objects to
 * `keys`.
 */
async function* moveOut(groups: AsyncIterable<Rows>, uploads: Uploads, keys: string[]): AsyncGenerator<Rows> {
  for await (const group of groups) {
    if (group.table !== BYTES_TABLE) yield group
    else for (const row of group.rows) yield writeBytesRow(await placeBytes(readBytesRow(group, row), uploads, keys))
  }
}

/** A row with its bytes in an object. Bytes that do not match their hash, lost before the export, stay in the row. */
async function placeBytes(row: BytesRow, uploads: Uploads, keys: string[]): Promise<BytesRow> {
  if (row.key !== null) return UPLOAD_KEY.exec(row.key)?.[1] === row.sha256 ? row : { ...row, key: null }
  if (sha256Of(row.data) !== row.sha256) return row
  const { key } = await uploads.put(row.sha256, row.data)
  keys.push(key)
  return { ...row, data: NO_BYTES, key }
}

/** Matches keys of uploads of any database. Other keys in an import are dropped, so that it names no other object. */
const UPLOAD_KEY = /^uploads\/[0-9a-f]{32}\/[0-9a-f]{2}\/([0-9a-f]{64})\.[0-9a-f]{16}$/

/**
 * Deletes the objects of rows that were not written. If it is unknown whether the rows were written, leaves the objects to the
 * sweep.
 */
async function removeUnwritten(error: unknown, keys: readonly string[], uploads: Uploads): Promise<void> {
  if (error instanceof ContextError && error.code === 'unavailable') return
  const used = await uploads.store.findUsedKeys(keys).catch(() => undefined)
  for (const key of keys) if (used && !used.has(key)) await uploads.remove({ key })
}
