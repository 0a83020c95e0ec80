/** Upkeep of uploads: deletes orphans, moves bytes out of the database, finds lost files. */

import { throwIfAborted } from '../../core/errors.ts'
import type { KeptObject } from '../byte-store.ts'
import { areBytesLost, removeObjects, type Uploads } from './uploads.ts'

/** Milliseconds after which an object without a row is an orphan: before, its row may be on the way. */
const ORPHANED = 24 * 3600 * 1000

const AT_ONCE = 500

/** Deletes what interrupted writers left. Returns the number of objects. */
export async function sweepOrphans(uploads: Uploads, signal?: AbortSignal): Promise<number> {
  const [blobs, prefix] = [await uploads.blobs(), await uploads.prefix()]
  let count = await uploads.tidy(signal)
  const before = Date.now() - ORPHANED
  for await (const page of blobs.list(prefix, signal)) {
    const old = page.filter(({ modifiedAt }) => Date.parse(modifiedAt) < before).map(({ key }) => key)
    const used = await uploads.store.used(old)
    const orphans = old.filter((key) => !used.has(key))
    await removeObjects(blobs, orphans, signal)
    count += orphans.length
  }
  await blobs.tidy(prefix, signal)
  return count
}

/** Moves bytes out of the database. Returns the number of files; after an interruption, the next call continues. */
export async function moveUploadsOut(uploads: Uploads, signal?: AbortSignal): Promise<number> {
  let count = 0
  for await (const sha256 of inside(uploads)) {
    throwIfAborted(signal)
    if (await moveUpload(uploads, sha256, signal)) count++
  }
  return count
}

/** Skips files that are lost, or are deleted meanwhile. */
async function moveUpload(uploads: Uploads, sha256: string, signal: AbortSignal | undefined): Promise<boolean> {
  const bytes = await uploads.read(sha256, signal).catch(unlessLost)
  if (!bytes) return false
  const put = await uploads.put(sha256, bytes, signal)
  const isMoved = await uploads.store.move(sha256, put, 'database')
  if (!isMoved) await uploads.remove(put)
  return isMoved
}

function unlessLost(error: unknown): undefined {
  if (!areBytesLost(error)) throw error
}

/** Hashes of the bytes that are in the database. */
async function* inside({ store }: Uploads): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const hashes = await store.inDatabase(after, AT_ONCE)
    yield* hashes
    const last = hashes.at(-1)
    if (last === undefined) return
    after = last
  }
}

async function* outside({ store }: Uploads): AsyncGenerator<KeptObject> {
  for (let after = ''; ; ) {
    const kept = await store.inObjects(after, AT_ONCE)
    yield* kept
    const last = kept.at(-1)
    if (last === undefined) return
    after = last.sha256
  }
}

/** The state of all uploads. */
export interface UploadState {
  /** Files whose bytes are in an object, and how many bytes that is. */
  readonly objects: number
  readonly bytes: number
  /** Files whose bytes are in the database. */
  readonly inside: number
  /** Files whose object is not there. */
  readonly missing: readonly KeptObject[]
}

/** Lists objects, without reading them. */
export async function readUploadState(uploads: Uploads, signal?: AbortSignal): Promise<UploadState> {
  const blobs = await uploads.blobs()
  const sizes = new Map<string, number>()
  for await (const page of blobs.list(await uploads.prefix(), signal)) {
    for (const { key, size } of page) sizes.set(key, size)
  }
  const missing: KeptObject[] = []
  let [objects, bytes] = [0, 0]
  for await (const kept of outside(uploads)) {
    objects++
    bytes += sizes.get(kept.key) ?? 0
    // Objects of a database that this one replaced have another prefix.
    if (!sizes.has(kept.key) && !(await blobs.has(kept.key, signal))) missing.push(kept)
  }
  return { objects, bytes, inside: (await Array.fromAsync(inside(uploads))).length, missing }
}
