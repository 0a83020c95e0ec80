/** The context directory at the root of a bucket. */

import { BOUNDS } from '../../core/bounds.ts'
import { ContextError } from '../../core/errors.ts'
import type { Left, Run } from '../../core/flow.ts'
import { type Refused, toRefused } from '../../files/confine.ts'
import { MAX_PAGE, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { readable } from '../../text/readable.ts'
import {
  absentReading,
  byPriority,
  CONTEXT_DIR,
  type ContextDirReading,
  type ContextDirSource,
  contextDirSource,
  fileNames,
  isContextFile,
  type ListedFile,
  PRIORITY_ORDER,
  readingOf,
} from './context-dir.ts'

/** A bucket, and how what is in it is named. */
export interface ContextBucket {
  readonly objects: Objects
  uriOf(key: string): string
}

/** The files of `.context/` at the root: nowhere else, and nothing above it. */
export function contextDirOf(bucket: ContextBucket): ContextDirSource {
  return contextDirSource(PRIORITY_ORDER, (run) => readFrom(bucket, run))
}

async function readFrom({ objects, uriOf }: ContextBucket, { signal }: Run): Promise<ContextDirReading> {
  const order = fileNames(PRIORITY_ORDER)
  const prefix = `${CONTEXT_DIR}/`
  const stop = signal ? { signal } : {}
  const page = await objects.list({ prefix, delimiter: '/', limit: MAX_PAGE, ...stop })
  const found = page.objects
    .map((info) => ({ ...info, name: info.key.slice(prefix.length) }))
    .filter(({ name }) => isContextFile(name))
    .sort(byPriority(order))
  if (found.length === 0) return absentReading(order)
  const listed = await Promise.all(
    found.map(async ({ key, name, size }): Promise<ListedFile> => {
      const uri = uriOf(key)
      const read = await readObjectText(objects, { key, size }, stop)
      if (!read.ok) return { uri, fileName: name, path: key, refused: read }
      const { content, text, warnings } = read
      return {
        uri,
        fileName: name,
        path: key,
        file: { path: uri, fileName: name, source: key, content, text, warnings },
      }
    }),
  )
  const dir = { path: uriOf(CONTEXT_DIR), levels: 0 }
  const reading = readingOf(dir, listed, { order, uriOf: (name) => uriOf(`${prefix}${name}`) })
  if (page.next === undefined) return reading
  const { selection } = reading
  const cut = { path: prefix, message: `Only its first ${MAX_PAGE} files are read.` }
  return { ...reading, selection: { ...selection, warnings: [...selection.warnings, cut] } }
}

async function readObjectText(
  objects: Objects,
  { key, size }: Pick<ObjectInfo, 'key' | 'size'>,
  stop: { readonly signal?: AbortSignal },
): Promise<ReturnType<typeof readable> | Refused> {
  if (size > BOUNDS.file) return toRefused('over-limit', `It has ${size} bytes; at most ${BOUNDS.file} are read.`)
  try {
    const read = await objects.read(key, { maxBytes: BOUNDS.file, ...stop })
    if (read === 'unchanged') throw new Error('Nothing was compared.')
    return readable(read.bytes)
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
    return toRefused(WHYS[error.code] ?? 'failed', error.message)
  }
}

const WHYS: Readonly<Partial<Record<ContextError['code'], Left['why']>>> = {
  'not-found': 'missing',
  denied: 'denied',
  'over-limit': 'over-limit',
}
