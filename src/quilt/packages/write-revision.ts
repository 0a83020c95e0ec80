/** A revision as a registry of layout 1 keeps it: the manifest under its hash, `latest`, and the pointer of its time. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages, type Objects } from '../../files/objects.ts'
import { type EntryHash, type ManifestEntry, readRecord } from '../records.ts'
import { readInOrder } from './in-order.ts'
import type { Json, JsonObject } from './json.ts'
import { MAX_LINE, type Manifest } from './manifest.ts'
import { LATEST, LAYOUTS, type Pointer, readPointer } from './registry.ts'

/** A file of the directory, and its hash. */
export interface LocalFile {
  readonly key: string
  readonly size: number
  readonly hash: EntryHash
}

/** Where a package is kept. */
export interface PushTarget {
  readonly objects: Objects
  readonly name: string
  readonly run: Run
}

const [V1, ...OTHERS] = LAYOUTS

/** Where `latest` of a package is, and what it holds. */
export interface Latest {
  readonly pointer: Pointer
  readonly etag: string
}

/** @throws ContextError `invalid-input` for a package of another layout, which only its own tools may move. */
export async function latestOf({ objects, name, run: { signal } }: PushTarget): Promise<Latest | undefined> {
  for (const { pointersOf, name: layout } of OTHERS) {
    if (await readPointer(objects, `${pointersOf(name)}${LATEST}`, signal)) {
      throw invalidInput(`The package ${name} is kept in layout ${layout}, which is read, and not written.`)
    }
  }
  const key = latestKey(name)
  const pointer = await readPointer(objects, key, signal)
  if (!pointer) return undefined
  const { etag } = await objects.head(key, signal ? { signal } : {})
  return { pointer, etag }
}

function latestKey(name: string): string {
  return `${V1?.pointersOf(name)}${LATEST}`
}

/** The entries of a revision by their logical keys. One that cannot be read is as none: all is sent. */
export async function readEntries(hash: string, { objects, name, run: { signal } }: PushTarget) {
  const manifest: Manifest = {
    name: hash,
    open: (stop) => objects.stream(V1?.manifestKey(name, hash) ?? '', stop ? { signal: stop } : {}),
  }
  const entries = new Map<string, ManifestEntry>()
  const visit = () => ({ entry: (entry: ManifestEntry) => void entries.set(entry.logicalKey, entry) })
  try {
    await readInOrder(manifest, visit, signal ? { signal } : {})
    return entries
  } catch (error) {
    if (error instanceof ContextError && (error.code === 'invalid-input' || error.code === 'not-found'))
      return new Map()
    throw error
  }
}

export interface ManifestContent {
  readonly header: JsonObject
  readonly files: readonly LocalFile[]
  readonly places: readonly string[]
}

/** A manifest is named by its content: one that is there already is this one, or its objects are elsewhere, which is no difference. */
export async function writeManifest(
  { objects, name, run: { signal } }: PushTarget,
  hash: string,
  content: ManifestContent,
) {
  const { header, files, places } = content
  const rows = files.map(({ key, size, hash: sum }, at) => {
    return { logical_key: key, physical_keys: [places[at] ?? ''], size, hash: sum, meta: {} }
  })
  const lines = [header, ...rows].map((row) => pythonLine(row))
  const long = lines.findIndex((line) => Buffer.byteLength(line) > MAX_LINE)
  if (long === 0) throw invalidInput(`The metadata has more than ${MAX_LINE} bytes.`)
  for (const [at, line] of lines.entries()) if (at > 0) readRecord(line, at + 1)
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  await putAbsent(objects, V1?.manifestKey(name, hash) ?? '', { bytes, signal })
}

/** As Python's `json.dumps` of quilt3 writes it: `, ` and `: ` between, characters as they are. */
function pythonLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return JSON.stringify(value)
  const members = Object.entries(value as JsonObject).map(([key, one]) => `${JSON.stringify(key)}: ${pythonLine(one)}`)
  return `{${members.join(', ')}}`
}

interface PutOptions {
  readonly bytes: Uint8Array
  readonly signal: AbortSignal | undefined
}

/** @returns whether it was absent. */
async function putAbsent(objects: Objects, key: string, { bytes, signal }: PutOptions): Promise<boolean> {
  try {
    await objects.put(key, bytes, { if: 'absent', ...(signal && { signal }) })
    return true
  } catch (error) {
    if (error instanceof ContextError && error.code === 'conflict') return false
    throw error
  }
}

/** @throws ContextError `conflict` where somebody else pushed since `latest` was read. */
export async function moveLatest(
  { objects, name, run: { signal } }: PushTarget,
  hash: string,
  before: Latest | undefined,
) {
  const key = latestKey(name)
  try {
    await objects.put(key, Buffer.from(hash), {
      if: before ? { etag: before.etag } : 'absent',
      ...(signal && { signal }),
    })
  } catch (error) {
    if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
    const now = await readPointer(objects, key, signal)
    // The answer to our own request may have been lost.
    if (now?.hash === hash) return
    const message = `Somebody else pushed ${name} meanwhile: latest is ${now?.hash ?? 'gone'}, and was ${before?.pointer.hash ?? 'none'}.`
    const hint = `Look at it, and push again. Yours is kept as ${name}@${hash}.`
    throw new ContextError('conflict', message, { hint, cause: error })
  }
}

/** Seconds that are tried for a pointer of its own. */
const MOST_SECONDS = 100

/** The pointer by which a log shows the revision: of now, or of a second that is free. One that it has already is enough. */
export async function markTime({ objects, name, run: { signal } }: PushTarget, hash: string): Promise<void> {
  const folder = V1?.pointersOf(name) ?? ''
  for await (const page of listPages(objects, { prefix: folder, ...(signal && { signal }) })) {
    const times = page.objects.filter(({ key }) => /\/\d+$/.test(key)).reverse()
    for (const { key } of times.slice(0, MOST_SECONDS)) {
      if ((await readPointer(objects, key, signal))?.hash === hash) return
    }
  }
  const now = Math.floor(Date.now() / 1000)
  for (let second = now; second < now + MOST_SECONDS; second++) {
    if (await putAbsent(objects, `${folder}${second}`, { bytes: Buffer.from(hash), signal })) return
  }
}
