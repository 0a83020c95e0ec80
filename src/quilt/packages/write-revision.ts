/** A revision as a registry of layout 1 keeps it: the manifest under its hash, `latest`, and the pointer of its time. */

import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { isSameState, MOST_UNDECIDED, waitUndecided } from '../../files/directory.ts'
import { listPages, type Objects } from '../../files/objects.ts'
import { type EntryHash, type ManifestEntry, readRecord } from '../records.ts'
import { readInOrder } from './in-order.ts'
import type { Json, JsonObject } from './json.ts'
import type { Manifest } from './manifest.ts'
import { LATEST, LAYOUTS, type Pointer, readPointer, V1 } from './registry.ts'

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

/** Where `latest` of a package is, and what it holds. */
export interface Latest {
  readonly pointer: Pointer
  readonly etag: string
}

/** @throws ContextError `invalid-input` for a package of another layout, which only its own tools may move. */
export async function latestOf({ objects, name, run: { signal } }: PushTarget): Promise<Latest | undefined> {
  for (const { pointersOf, name: layout } of LAYOUTS.filter((one) => one !== V1)) {
    if (await readPointer(objects, `${pointersOf(name)}${LATEST}`, signal)) {
      throw invalidInput(`The package ${name} is kept in layout ${layout}, which is read, and not written.`)
    }
  }
  const key = latestKey(name)
  // The etag before the pointer: where it moves in between, the etag is the older of the two, and nothing of theirs is replaced.
  const etag = await etagOf(objects, key, signal ? { signal } : {})
  const pointer = etag === undefined ? undefined : await readPointer(objects, key, signal)
  return etag === undefined || pointer === undefined ? undefined : { pointer, etag }
}

async function etagOf(objects: Objects, key: string, stop: { readonly signal?: AbortSignal }) {
  try {
    return (await objects.head(key, stop)).etag
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return undefined
    throw error
  }
}

function latestKey(name: string): string {
  return `${V1.pointersOf(name)}${LATEST}`
}

/** The entries of a revision by their logical keys. One that cannot be read is as none: all is sent. */
export async function readEntries(hash: string, { objects, name, run: { signal } }: PushTarget) {
  const manifest: Manifest = {
    name: hash,
    open: (stop) => objects.stream(V1.manifestKey(name, hash), stop ? { signal: stop } : {}),
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

/** A manifest is named by its content: one that is there already is this one, or its objects are elsewhere, which is not a difference. */
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
  const long = lines.findIndex((line) => Buffer.byteLength(line) > BOUNDS.manifestLine)
  if (long === 0) throw invalidInput(`The metadata has more than ${BOUNDS.manifestLine} bytes.`)
  for (const [at, line] of lines.entries()) if (at > 0) readRecord(line, at + 1)
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  await putAbsent(objects, V1.manifestKey(name, hash), { bytes, signal })
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
export async function moveLatest(target: PushTarget, hash: string, before: Latest | undefined): Promise<void> {
  const { objects, name, run } = target
  const stop = run.signal ? { signal: run.signal } : {}
  let known = before
  for (let tries = 1; ; tries++) {
    try {
      await objects.put(latestKey(name), Buffer.from(hash), { if: known ? { etag: known.etag } : 'absent', ...stop })
      return
    } catch (error) {
      if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
      const now = await latestOf(target)
      // The answer to our own request may have been lost.
      if (now?.pointer.hash === hash) return
      if (!isUndecided(before, now) || tries === MOST_UNDECIDED)
        throw pushedMeanwhile(name, hash, { before, now, cause: error })
      known = now
    }
    await waitUndecided(tries, run.signal)
  }
}

/** Whether `latest` is what it was, though that could not be told when it should be moved. */
function isUndecided(before: Latest | undefined, now: Latest | undefined): boolean {
  if (before === undefined || now === undefined) return false
  return isSameState(now.etag, before.etag) && now.pointer.hash === before.pointer.hash
}

interface Meanwhile {
  readonly before: Latest | undefined
  readonly now: Latest | undefined
  readonly cause: ContextError
}

function pushedMeanwhile(name: string, hash: string, { before, now, cause }: Meanwhile): ContextError {
  const message = `Somebody else pushed ${name} at the same time: latest is ${now?.pointer.hash ?? 'gone'}, and was ${before?.pointer.hash ?? 'none'}.`
  const hint = `Look at it, and push again. Yours is kept as ${name}@${hash}.`
  return new ContextError('conflict', message, { hint, cause })
}

/** Seconds that are tried for a pointer of its own. */
const MOST_SECONDS = 100

/**
 * Writes the pointer by which a log shows the revision: of now, or of the next second that is free. `isCurrent`: `latest` is it
 * already; then only where a push was killed before it wrote one.
 */
export async function markTime(target: PushTarget, hash: string, isCurrent: boolean): Promise<void> {
  if (isCurrent && (await hasTime(target, hash))) return
  const { objects, name, run } = target
  const now = Math.floor(Date.now() / 1000)
  for (let second = now; second < now + MOST_SECONDS; second++) {
    const put = { bytes: Buffer.from(hash), signal: run.signal }
    if (await putAbsent(objects, `${V1.pointersOf(name)}${second}`, put)) return
  }
}

async function hasTime({ objects, name, run: { signal } }: PushTarget, hash: string): Promise<boolean> {
  const request = { prefix: V1.pointersOf(name), ...(signal && { signal }) }
  for await (const page of listPages(objects, request)) {
    const times = page.objects.filter(({ key }) => /\/\d+$/.test(key)).reverse()
    for (const { key } of times.slice(0, MOST_SECONDS)) {
      if ((await readPointer(objects, key, signal))?.hash === hash) return true
    }
  }
  return false
}
