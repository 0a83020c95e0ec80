/** Writes a revision to a registry: objects, the manifest under its hash, a pointer named by the time, and `latest`. */

import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { isSameState, MAX_UNDECIDED, waitUndecided } from '../../files/directory.ts'
import { ignoreMissing, type ObjectInfo, type Objects, type PutRequest } from '../../files/objects.ts'
import { lastPathSegment } from '../../text/paths.ts'
import { hasherOf } from '../hashes.ts'
import { keyBelow, parsePhysicalKey, versionQuery } from '../located.ts'
import { quoteForeign } from '../names.ts'
import { readRecord } from '../records.ts'
import { memberTextsOf, pythonLine, withMembers } from './json.ts'
import { LATEST, MANIFESTS, type Pointer, pointerNames, pointersOf, readPointer } from './registry.ts'
import type { EntryRow, LocalFile } from './revise.ts'
import { newestTimes } from './revisions.ts'

export interface PushTarget {
  readonly objects: Objects
  readonly name: string
  readonly run: Run
}

/** The pointer `latest` of a package, and its etag. */
interface LatestPointer {
  readonly pointer: Pointer
  readonly etag: string
  /** Whether the service keeps an overwritten object as an older version. */
  readonly isVersioned: boolean
}

/** The pointers of a package, as read before a push. */
export interface PackagePointers {
  readonly latest: LatestPointer | undefined
  /** The names of pointers that are times, the oldest first. */
  readonly timePointers: readonly string[]
}

export async function readPointersOf(target: PushTarget): Promise<PackagePointers> {
  return { latest: await readLatest(target), timePointers: await listTimePointers(target) }
}

async function readLatest({ objects, name, run: { signal } }: PushTarget): Promise<LatestPointer | undefined> {
  const key = `${pointersOf(name)}${LATEST}`
  // Reads the etag first. If the pointer moves in between, the etag is outdated, so the write does not replace the pointer of
  // another push.
  const info = await ignoreMissing(objects.head(key, { signal }))
  const pointer = info && (await readPointer(objects, key, signal))
  return info && pointer && { pointer, etag: info.etag, isVersioned: isVersioned(info) }
}

/** The names of the pointers that are times, the oldest first, without `latest` and names of people, such as `v1`. */
async function listTimePointers({ objects, name, run: { signal } }: PushTarget): Promise<string[]> {
  return newestTimes(await pointerNames(objects, { name, limit: Infinity, signal })).reverse()
}

/** Writes a manifest, unless a manifest with the same hash exists, which can differ only in its physical keys. */
export async function writeManifest(
  { objects, run: { signal } }: PushTarget,
  hash: string,
  lines: readonly string[],
): Promise<void> {
  for (const [at, line] of lines.entries()) {
    if (Buffer.byteLength(line) > BOUNDS.manifestLine) {
      const message = `Line ${at + 1} of the manifest would have more than ${BOUNDS.manifestLine} bytes.`
      throw invalidInput(message, 'Shorten its metadata.')
    }
    if (at > 0) readRecord(line, at + 1)
  }
  await putAbsent(objects, `${MANIFESTS}${hash}`, { bytes: Buffer.from(`${lines.join('\n')}\n`), signal })
}

/** @returns whether the object did not exist. */
async function putAbsent(
  objects: Objects,
  key: string,
  { bytes, signal }: { readonly bytes: Uint8Array; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  try {
    await objects.put(key, bytes, { if: 'absent', signal })
    return true
  } catch (error) {
    if (error instanceof ContextError && error.code === 'conflict') return false
    throw error
  }
}

/**
 * Points `latest` to a revision.
 *
 * @returns whether the service compared `latest` with its old value. For a service that cannot (Ceph with versions; Swift),
 * `latest` is read before it is written.
 * @throws ContextError `conflict` if somebody else pushed since `latest` was read.
 */
export async function moveLatest(target: PushTarget, hash: string, before?: LatestPointer): Promise<boolean> {
  const { objects, name, run } = target
  const { signal } = run
  const key = `${pointersOf(name)}${LATEST}`
  const put = (condition: Pick<PutRequest, 'if'>) => objects.put(key, Buffer.from(hash), { ...condition, signal })
  let cause: ContextError | undefined
  for (let tries = 0; ; tries++) {
    if (cause) await waitUndecided(tries, signal)
    // `latest` is read before the first try, too. If two pushes wrote a time pointer, one sees the other, even if the service
    // does not compare.
    const latestNow = await readLatest(target)
    // An earlier try may have succeeded although its answer was lost.
    if (latestNow?.pointer.hash === hash) return true
    if (!isUnmoved(before, latestNow)) throw pushedMeanwhile(name, hash, { before, now: latestNow, cause })
    if (tries === MAX_UNDECIDED || cause?.code === 'unavailable') break
    try {
      await put({ if: latestNow ? { etag: latestNow.etag } : 'absent' })
      return true
    } catch (error) {
      // Either the condition does not hold, or the service does not support conditions. Without support, the service
      // fails at every try.
      if (!(error instanceof ContextError) || !/^(?:conflict|unavailable)$/.test(error.code)) throw error
      cause = error
    }
  }
  await put({})
  return false
}

function isUnmoved(before: LatestPointer | undefined, now: LatestPointer | undefined): boolean {
  if (before === undefined || now === undefined) return before === now
  return isSameState(now.etag, before.etag) && now.pointer.hash === before.pointer.hash
}

type MovedPointer = Readonly<Partial<Record<'before' | 'now', LatestPointer | undefined>>> & ErrorOptions

function pushedMeanwhile(name: string, hash: string, { before, now, cause }: MovedPointer): ContextError {
  const message = `Somebody else pushed ${name} at the same time: latest is ${now?.pointer.hash ?? 'gone'}, and was ${before?.pointer.hash ?? 'none'}.`
  const hint = `Push again to add your changes. Your revision is kept as ${name}@${hash}.`
  return new ContextError('conflict', message, { hint, cause })
}

/**
 * Checks `latest` after a push.
 *
 * @returns the hashes that others pushed since the package was read. This revision does not contain their changes.
 * @throws ContextError `conflict` if `latest` has another hash, and the service did not compare it.
 */
export async function findRivals(
  target: PushTarget,
  hash: string,
  { pointersBefore, isCompared }: { readonly pointersBefore: PackagePointers; readonly isCompared: boolean },
): Promise<readonly string[]> {
  const { objects, name, run } = target
  const { latest: latestBefore, timePointers } = pointersBefore
  const now = isCompared ? undefined : await readLatest(target)
  if (!isCompared && now?.pointer.hash !== hash) throw pushedMeanwhile(name, hash, { before: latestBefore, now })
  const rivals = new Set<string>()
  for (const time of new Set(await listTimePointers(target)).difference(new Set(timePointers))) {
    const pointer = await readPointer(objects, `${pointersOf(name)}${time}`, run.signal)
    if (pointer) rivals.add(pointer.hash)
  }
  return [...rivals].filter((rival) => rival !== hash && rival !== latestBefore?.pointer.hash)
}

/** Maximum number of pointer names to try; the names are consecutive seconds. */
const MAX_SECONDS = 100

/**
 * Writes a pointer for the log of revisions. Its name is the current second, or the next free second. Writes nothing if the newest
 * pointer already has the hash, because a killed push wrote it.
 *
 * @returns whether the previous newest pointer, if any, had the hash of `latest` or of this revision. If not, another push may be about
 * to move `latest`.
 */
export async function markTime(target: PushTarget, hash: string, pointersBefore: PackagePointers): Promise<boolean> {
  const { latest, timePointers } = pointersBefore
  const { objects, name, run } = target
  const newest = timePointers.at(-1)
  const key = (time: string | number) => `${pointersOf(name)}${time}`
  const newestHash = newest === undefined ? undefined : (await readPointer(objects, key(newest), run.signal))?.hash
  if (newestHash === hash) return true
  const now = Math.floor(Date.now() / 1000)
  const put = { bytes: Buffer.from(hash), signal: run.signal }
  for (let time = now; time < now + MAX_SECONDS; time++) if (await putAbsent(objects, key(time), put)) break
  return newestHash === undefined || newestHash === latest?.pointer.hash
}

/** Maximum tries of an upload that a concurrent write aborts. */
const MAX_TRIES = 3

export interface UploadContext extends PushTarget {
  readonly directory: Objects
  /** Receives the number of bytes that were sent. */
  readonly reportSent: (bytes: number) => void
  readonly signal: AbortSignal
  /** Absent for a new package. */
  readonly latest: LatestPointer | undefined
}

/** Bytes above which a file is sent in parts. */
const PART_BYTES = 8 << 20

/**
 * Uploads the file of a row, if it has one, without overwriting an object of another revision.
 *
 * @returns the line of the row in the manifest
 */
export async function uploadRow({ file, text }: EntryRow, context: UploadContext): Promise<string> {
  if (!file) return text
  for (let tries = 1; ; tries++) {
    try {
      return withMembers(memberTextsOf(text), { physical_keys: pythonLine([await placeFile(file, context)]) })
    } catch (error) {
      const isRace = error instanceof ContextError && error.code === 'conflict' && !(error instanceof FileChanged)
      if (!isRace || tries === MAX_TRIES) throw error
    }
  }
}

async function placeFile(file: LocalFile, context: UploadContext): Promise<string> {
  const { objects, name, signal, latest } = context
  const key = `${name}/${file.key}`
  const infoOf = (objectKey: string) => ignoreMissing(objects.head(objectKey, { signal }))
  const putAt = async (objectKey: string, condition: { readonly if?: 'absent' } = {}) => {
    const request = { size: file.size, signal, ...condition }
    const { version } = await objects.putStream(objectKey, checkedFile(file, context), request)
    return physicalKeyOf(objects.uri, objectKey, version)
  }
  const existing = await infoOf(key)
  if (existing && isVersioned(existing)) {
    return (await holdsFile(existing, file, context)) ? physicalKeyOf(objects.uri, key, existing.version) : putAt(key)
  }
  const hashKey = `${name}/.objects/${Buffer.from(file.hash.value, 'base64').toString('hex')}/${lastPathSegment(file.key)}`
  // Some services (Ceph) do not notice a new object at the end of an upload in parts: two pushes would overwrite each other.
  const needsHashKey = objects.uri.startsWith('s3:') && latest?.isVersioned === false && file.size > PART_BYTES
  for (const objectKey of needsHashKey ? [hashKey] : [key, hashKey]) {
    const occupant = await infoOf(objectKey)
    if (!occupant) return await putAt(objectKey, { if: 'absent' })
    if (await holdsFile(occupant, file, context)) return physicalKeyOf(objects.uri, objectKey, occupant.version)
  }
  throw new ContextError('conflict', `${quoteForeign(file.key)} cannot be uploaded: another object has its key.`)
}

/** Whether an object has the bytes of a file. */
async function holdsFile({ key, size, version }: ObjectInfo, file: LocalFile, { objects, signal }: UploadContext) {
  const hasher = size === file.size ? hasherOf(file.hash.type, size) : undefined
  if (!hasher) return false
  for await (const bytes of objects.stream(key, { version, signal })) hasher.update(bytes)
  return hasher.digest() === file.hash.value
}

/** The bytes of a file. @throws ContextError `conflict` at the end if it changed since it was hashed. */
async function* checkedFile({ key, size, hash }: LocalFile, { directory, reportSent, signal }: UploadContext) {
  const hasher = hasherOf(hash.type, size)
  for await (const bytes of directory.stream(key, { signal })) {
    hasher?.update(bytes)
    yield bytes
    reportSent(bytes.length)
  }
  if (hasher?.digest() !== hash.value) throw new FileChanged(key)
}

/** The error for a file that changed since the push began. */
class FileChanged extends ContextError {
  constructor(key: string) {
    super('conflict', `${quoteForeign(key)} was written while it was pushed.`, { hint: 'Push again.' })
  }
}

/** Whether an object has a version that stays after the next write. The version `null` does not stay. */
function isVersioned({ version }: ObjectInfo): boolean {
  return version !== undefined && version !== 'null'
}

/** `s3://bucket/key?versionId=…` or `file:///…`, percent-encoded. */
function physicalKeyOf(uri: string, key: string, version: string | undefined): string {
  const text = `${uri}/${key.split('/').map(encodeURIComponent).join('/')}${versionQuery(version)}`
  // The result must parse to the same address.
  if (keyBelow(parsePhysicalKey(text), uri) !== key)
    throw invalidInput(`${quoteForeign(key)} cannot be named in a manifest.`)
  return text
}
