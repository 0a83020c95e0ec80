/** Upkeep of uploads: deletes orphans (objects without a row), moves bytes out of the database, finds lost files. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages } from '../../files/objects.ts'
import { countNoun, formatBytes, listFirst } from '../../text/counts.ts'
import type { StoredObject } from '../byte-store.ts'
import { areBytesLost, hasObject, removeObjects, type Uploads } from './uploads.ts'

/** Minimum age in milliseconds of an orphan, because the row of a younger object may not be written yet. */
const ORPHAN_AGE_MS = 24 * 3600 * 1000

const PAGE_SIZE = 500

/** Deletes objects that interrupted writers left. Returns their number. */
export async function sweepOrphans(uploads: Uploads, signal?: AbortSignal): Promise<number> {
  const [place, prefix] = [await uploads.objects(), await uploads.prefix()]
  let count = await uploads.tidy(signal)
  const before = Date.now() - ORPHAN_AGE_MS
  for await (const { objects } of listPages(place, { prefix, signal })) {
    const old = objects.filter(({ modifiedAt }) => Date.parse(modifiedAt) < before).map(({ key }) => key)
    const used = await uploads.store.findUsedKeys(old)
    const orphans = old.filter((key) => !used.has(key))
    await removeObjects(place, orphans, signal)
    count += orphans.length
  }
  await place.sweep([prefix], signal)
  return count
}

/** Moves bytes out of the database. Returns the number of moved files. After an interruption, the next call continues. */
export async function moveUploadsOut(uploads: Uploads, signal?: AbortSignal): Promise<number> {
  let count = 0
  for await (const sha256 of hashesInDatabase(uploads)) {
    throwIfAborted(signal)
    if (await moveUpload(uploads, sha256, signal)) count++
  }
  return count
}

/** Moves the bytes of one file. Returns false if the bytes are lost, or the file is deleted during the move. */
async function moveUpload(uploads: Uploads, sha256: string, signal: AbortSignal | undefined): Promise<boolean> {
  const bytes = await uploads.read(sha256, signal).catch(ignoreLost)
  if (!bytes) return false
  const location = await uploads.put(sha256, bytes, signal)
  const isMoved = await uploads.store.move(sha256, location, 'database')
  if (!isMoved) await uploads.remove(location)
  return isMoved
}

function ignoreLost(error: unknown): undefined {
  if (!areBytesLost(error)) throw error
}

/** Hashes of the bytes that are in the database. */
async function* hashesInDatabase({ store }: Uploads): AsyncGenerator<string> {
  let page = await store.listInDatabase('', PAGE_SIZE)
  for (; page.length > 0; page = await store.listInDatabase(page.at(-1) ?? '', PAGE_SIZE)) yield* page
}

async function* storedObjects({ store }: Uploads): AsyncGenerator<StoredObject> {
  let page = await store.listInObjects('', PAGE_SIZE)
  for (; page.length > 0; page = await store.listInObjects(page.at(-1)?.sha256 ?? '', PAGE_SIZE)) yield* page
}

/**
 * The state of all uploads: number and bytes of the files in objects, number of files in the database (`inside`), and files with
 * a missing object. Lists the objects, without reading them.
 */
async function readUploadState(uploads: Uploads, signal?: AbortSignal) {
  const place = await uploads.objects()
  const sizes = new Map<string, number>()
  for await (const page of listPages(place, { prefix: await uploads.prefix(), signal })) {
    for (const { key, size } of page.objects) sizes.set(key, size)
  }
  const missing: StoredObject[] = []
  let [objects, bytes] = [0, 0]
  for await (const object of storedObjects(uploads)) {
    objects++
    bytes += sizes.get(object.key) ?? 0
    // Objects that came from a replaced database have another prefix.
    if (!sizes.has(object.key) && !(await hasObject(place, object.key, signal))) missing.push(object)
  }
  return { objects, bytes, inside: (await Array.fromAsync(hashesInDatabase(uploads))).length, missing }
}

export interface UploadFinding {
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly hint?: string
}

/** Maximum number of names in a message. */
const MAX_NAMES = 3

/** Checks that all uploads are in their place. Deletes orphans first. `warning`: a warning about the place itself. */
export async function uploadsFinding(
  uploads: Uploads,
  warning: Pick<UploadFinding, 'message' | 'hint'> | undefined,
  { signal }: Run,
): Promise<UploadFinding> {
  const { uri } = await uploads.objects()
  const orphans = await sweepOrphans(uploads, signal)
  const { objects, bytes, inside, missing } = await readUploadState(uploads, signal)
  if (missing.length > 0) return lostFinding(uri, missing)
  const facts = [
    `${uri}: ${countNoun(objects, 'file')}, ${formatBytes(bytes)}.`,
    ...(inside > 0 ? [`In the database: ${countNoun(inside, 'file')}; "ambit migrate" moves what can be moved.`] : []),
    ...(orphans > 0 ? [`Removed, because no file uses them: ${countNoun(orphans, 'object')}.`] : []),
  ]
  if (warning) return { ...warning, status: 'warning', message: `${facts.join(' ')} ${warning.message}` }
  return { status: 'ok', message: facts.join(' ') }
}

function lostFinding(uri: string, missing: readonly StoredObject[]): UploadFinding {
  const names = missing.map(({ name }) => JSON.stringify(name))
  return {
    status: 'failed',
    message: `${uri} lacks the bytes of ${countNoun(missing.length, 'file')}: ${listFirst(names, MAX_NAMES)}.`,
    hint: 'Restore a backup of that place, set AMBIT_OBJECTS to the place that has them, or add the files again.',
  }
}
