/** The context directory at the root of a bucket. */

import { BOUNDS } from '../../core/bounds.ts'
import { ContextError } from '../../core/errors.ts'
import type { Left, Run, Selection, Warning } from '../../core/flow.ts'
import { MAX_PAGE, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { readable } from '../../text/readable.ts'
import {
  absentReading,
  byPriority,
  CONTEXT_DIR,
  type ContextDirReading,
  type ContextDirSource,
  type ContextDirText,
  fileNames,
  fragmentOf,
  headingOf,
  isContextFile,
  isRequired,
  missingOf,
  PRIORITY_ORDER,
} from './context-dir.ts'

/** A bucket, and how what is in it is named. */
export interface ContextBucket {
  readonly objects: Objects
  uriOf(key: string): string
}

/** The files of `.context/` at the root: nowhere else, and nothing above it. */
export function contextDirOf(bucket: ContextBucket): ContextDirSource {
  let reading = absentReading(fileNames(PRIORITY_ORDER))
  return {
    name: 'context-dir',
    kind: 'context',
    get reading() {
      return reading
    },
    async gather(_, run) {
      reading = await readFrom(bucket, run)
      return reading.selection
    },
  }
}

async function readFrom(bucket: ContextBucket, { signal }: Run): Promise<ContextDirReading> {
  const { objects, uriOf } = bucket
  const order = fileNames(PRIORITY_ORDER)
  const prefix = `${CONTEXT_DIR}/`
  const named = { prefix, delimiter: '/', ...(signal && { signal }) }
  const page = await objects.list({ ...named, limit: MAX_PAGE })
  const found = page.objects
    .map((info) => ({ ...info, name: info.key.slice(prefix.length) }))
    .filter(({ name }) => isContextFile(name))
    .sort(byPriority(order))
  if (found.length === 0) return absentReading(order)
  const read = await Promise.all(found.map((file) => readOf(bucket, file, signal)))
  const missing = order.filter((name) => !found.some((file) => file.name === name))
  const more = page.next === undefined ? [] : [{ path: prefix, message: `Only its first ${MAX_PAGE} files are read.` }]
  return {
    dir: { path: uriOf(CONTEXT_DIR), levels: 0 },
    ...missingOf(missing),
    files: new Map(read.flatMap(({ uri, file }) => (file ? [[uri, file] as const] : []))),
    selection: selectionOf(
      read,
      missing.map((name) => missingAt(uriOf(`${prefix}${name}`), name)),
      more,
    ),
  }
}

interface Read {
  readonly uri: string
  readonly file?: ContextDirText
  readonly left?: Left
}

type Named = ObjectInfo & { readonly name: string }

async function readOf({ objects, uriOf }: ContextBucket, file: Named, signal?: AbortSignal): Promise<Read> {
  const { key, name, size } = file
  const uri = uriOf(key)
  const left = (why: Left['why'], detail: string): Read => ({
    uri,
    left: { origin: { uri }, title: headingOf(name), why, detail },
  })
  if (size > BOUNDS.file) return left('over-limit', `It has ${size} bytes; at most ${BOUNDS.file} are read.`)
  try {
    const read = await objects.read(key, { maxBytes: BOUNDS.file, ...(signal && { signal }) })
    if (read === 'unchanged') throw new Error('Nothing was compared.')
    const found = readable(read.bytes)
    if (!found.ok) return left(found.why, found.detail)
    const { content, text, warnings } = found
    return { uri, file: { path: uri, fileName: name, source: key, content, text, warnings } }
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
    return left(WHYS[error.code] ?? 'failed', error.message)
  }
}

const WHYS: Readonly<Partial<Record<ContextError['code'], Left['why']>>> = {
  'not-found': 'missing',
  denied: 'denied',
  'over-limit': 'over-limit',
}

function missingAt(uri: string, name: string): Left {
  return { origin: { uri }, title: headingOf(name), why: 'missing', required: isRequired(name) }
}

function selectionOf(read: readonly Read[], missing: readonly Left[], more: readonly Warning[]): Selection {
  const kept = read.flatMap(({ uri, file }) => (file ? [fragmentOf(file, uri)] : []))
  const left = read.flatMap((one) => one.left ?? [])
  const noticed = read.flatMap(({ file }) =>
    (file?.warnings ?? []).map((message) => ({ path: file?.source ?? '', message })),
  )
  const failed = left.map(({ origin, detail = '' }) => ({ path: origin.uri, message: `It is not loaded: ${detail}` }))
  return { kept, left: [...left, ...missing], warnings: [...noticed, ...failed, ...more] }
}
