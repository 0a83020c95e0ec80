import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { notEmpty, type Rows } from '../row-store.ts'
import { codeOf } from '../statements/trouble-table.ts'
import type { Store } from '../store.ts'
import { brokenExport, type Header, importRows, readHeader } from './lines.ts'

/** Maximum characters of a line. */
const MAX_LINE = 400_000_000

export interface ImportStoreRequest {
  readonly path: string
  /** Whether to replace the content of the store. Default: false, and a store with content is refused. */
  readonly replace?: boolean | undefined
}

/**
 * Imports a file of `exportStore`, atomically.
 *
 * @throws ContextError `not-found` for a missing file; `invalid-input` for a file that is not an export, is cut off or was
 * changed; `conflict` for a store with content, without `replace`; `cancelled`.
 */
export async function importStore(store: Store, { path, replace = false }: ImportStoreRequest, signal?: AbortSignal) {
  const file = resolve(path)
  if (!replace && !(await store.rows.isEmpty())) throw notEmpty(store.name)
  // Reads the whole file once before the first write, so that a broken file does not block other writers.
  await withExport(file, async (_, rows) => {
    const groups = countRows(rows, {}, signal)
    while (!(await groups.next()).done);
  })
  return withExport(file, async ({ counted }, rows) => {
    const tables: Record<string, number> = {}
    await guardConstraints(file, () => store.rows.write(countRows(rows, tables, signal), { counted, replace }))
    return { file, database: store.name, rows: Object.values(tables).reduce((all, one) => all + one, 0), tables }
  })
}

async function withExport<Value>(
  file: string,
  work: (header: Header, rows: AsyncIterable<Rows>) => Promise<Value>,
): Promise<Value> {
  const lines = readLines(file, await openExport(file))
  try {
    const hash = createHash('sha256')
    const header = await readHeader(file, lines, hash)
    return await work(header, importRows(file, lines, { ...header, hash }))
  } finally {
    await lines.return(undefined)
  }
}

/**
 * Runs an import. Converts the database's error about a broken constraint to an error about the file, because a file
 * with a valid checksum may have invalid rows.
 */
async function guardConstraints(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const cause = error instanceof ContextError ? error.cause : error
    if (/^(SQLITE_CONSTRAINT|23)/.test(codeOf(cause) ?? ''))
      throw brokenExport(file, 'its rows do not fit together', cause)
    throw error
  }
}

async function* countRows(
  rows: AsyncIterable<Rows>,
  tables: Record<string, number>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Rows> {
  for await (const group of rows) {
    throwIfAborted(signal)
    tables[group.table] = (tables[group.table] ?? 0) + group.rows.length
    yield group
  }
}

const GZIP = [0x1f, 0x8b]

/** The bytes of a file, decompressed if the file is gzip. */
async function openExport(file: string): Promise<Readable> {
  const handle = await open(file).catch((cause: unknown) => {
    throw unreadableExport(file, cause)
  })
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).catch(async (cause: unknown) => {
    await handle.close()
    throw unreadableExport(file, cause)
  })
  const bytes = handle.createReadStream({ start: 0 })
  if (bytesRead < 2 || !GZIP.every((byte, at) => buffer[at] === byte)) return bytes
  // No error handling here: the reader of the stream receives the errors.
  return pipeline(bytes, createGunzip(), () => {})
}

/** The lines of a stream, without line ends. Leaves out a text after the last line end, which is a cut-off line. */
async function* readLines(file: string, source: Readable): AsyncGenerator<string, undefined> {
  source.setEncoding('utf8')
  let parts: string[] = []
  let length = 0
  try {
    for await (const chunk of source) {
      const [first = '', ...others] = String(chunk).split('\n')
      parts.push(first)
      length += first.length
      if (length > MAX_LINE) throw brokenExport(file, `a line is longer than ${MAX_LINE} characters`)
      for (const line of others) {
        yield parts.join('')
        parts = [line]
        length = line.length
      }
    }
  } catch (error) {
    if (error instanceof ContextError) throw error
    throw brokenExport(file, 'it is damaged', error)
  }
}

function unreadableExport(file: string, cause: unknown): ContextError {
  if (codeOf(cause) === 'ENOENT') {
    const hint = 'Give the path of a file that "ambit export" wrote.'
    return new ContextError('not-found', `There is no file ${file}.`, { hint, cause })
  }
  const hint = 'Give the path of a readable file that "ambit export" wrote.'
  return new ContextError('invalid-input', `${file} cannot be read.`, { hint, cause })
}
