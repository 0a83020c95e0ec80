import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { refuseProgramName } from '../../text/program-names.ts'
import type { Rows } from '../row-store.ts'
import { codeOf } from '../statements/trouble-table.ts'
import type { Store } from '../store.ts'
import { ExportWriter } from './lines.ts'

/** SHA-256 of no bytes. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Number of uploads whose bytes are lost: the bytes in the row are empty, but the hash is not `EMPTY_SHA256`. */
function countLost({ table, columns, rows }: Rows): number {
  if (table !== 'research_bytes') return 0
  const [hash, data] = [columns.indexOf('sha256'), columns.indexOf('data')]
  return rows.filter((row) => row[hash] !== EMPTY_SHA256 && Object(row[data]).length === 0).length
}

/**
 * Writes the content of a store to a new file that only its owner may read. The file is compressed if its name ends in `.gz`. An
 * incomplete file is deleted.
 *
 * @throws ContextError `conflict` for an existing file; `unavailable` if it cannot be written; `cancelled`.
 */
export async function exportStore(store: Store, path: string, signal?: AbortSignal) {
  const file = resolve(path)
  refuseProgramName(file)
  const sink = await openSink(file)
  try {
    const writer = new ExportWriter()
    const tables: Record<string, number> = {}
    let lost = 0
    await sink.write(writer.writeHeader(await store.rows.readCounters()))
    await store.rows.read(async (rows: Rows) => {
      throwIfAborted(signal)
      tables[rows.table] = (tables[rows.table] ?? 0) + rows.rows.length
      lost += countLost(rows)
      await sink.write(writer.writeRows(rows))
    })
    await sink.write(writer.writeEnd())
    await sink.end()
    return { file, database: store.name, rows: writer.rows, tables, ...(lost > 0 && { lost }) }
  } catch (error) {
    await sink.discard()
    throw error
  }
}

async function openSink(file: string) {
  const fileStream = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const guardWrite = async (work: Promise<unknown>) => {
    await work.catch((cause: unknown) => {
      throw unwritable(file, cause)
    })
  }
  await guardWrite(once(fileStream, 'open'))
  const input = file.endsWith('.gz') ? createGzip({ level: 6 }) : new PassThrough()
  const piping = pipeline(input, fileStream)
  // A later `await` throws the error. Until then, the rejected promise must not end the process.
  piping.catch(() => {})
  return {
    write: async (text: string) => {
      if (!input.write(text)) await guardWrite(Promise.race([once(input, 'drain'), piping]))
    },
    end: async () => {
      input.end()
      await guardWrite(piping)
    },
    discard: async () => {
      input.destroy()
      await piping.catch(() => {})
      await rm(file, { force: true })
    },
  }
}

function unwritable(file: string, cause: unknown): ContextError {
  if (codeOf(cause) === 'EEXIST') {
    const hint = 'Choose another name, or remove that file first.'
    return new ContextError('conflict', `There is a file ${file} already.`, { hint, cause })
  }
  const hint = 'Check that its directory exists, is writable and has space.'
  return new ContextError('unavailable', `${file} cannot be written.`, { hint, cause })
}
