/**
 * Stores the bytes of uploads in objects beside the database. An object is written before its row, and deleted after
 * its row; no key is reused. So even if a process is killed, every row has its bytes. An object without a row is an
 * orphan.
 */

import { createHash, randomBytes } from 'node:crypto'
import { BucketTrouble, ContextError, NoSpace } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { type ByteStore, NO_BYTES, type ObjectLocation } from '../byte-store.ts'

/** Maximum keys of one query. */
const PAGE_SIZE = 500

export class Uploads {
  readonly store: ByteStore
  readonly #open: () => Promise<Objects>
  #objects: Promise<Objects> | undefined
  #databaseId: string | undefined

  /** `open`: opens the directory or bucket of the objects; called again after a failure. */
  constructor({ bytes, open }: { readonly bytes: ByteStore; readonly open: () => Promise<Objects> }) {
    this.store = bytes
    this.#open = open
  }

  /** The place of the objects. After a failure, the next call tries again. */
  objects(): Promise<Objects> {
    this.#objects ??= this.#open().catch((error: unknown) => {
      this.#objects = undefined
      throw error
    })
    return this.#objects
  }

  /** The prefix of all keys of this database. */
  async prefix(): Promise<string> {
    this.#databaseId ??= await this.store.id()
    return `uploads/${this.#databaseId}/`
  }

  /**
   * Writes bytes to a new object. @throws ContextError with a message that does not reveal the place of the uploads.
   */
  async put(sha256: string, bytes: Uint8Array, signal?: AbortSignal): Promise<ObjectLocation> {
    const key = `${await this.prefix()}${sha256.slice(0, 2)}/${sha256}.${randomBytes(8).toString('hex')}`
    try {
      const objects = await this.objects()
      await objects.put(key, bytes, { if: 'absent', signal }).catch(async (error: unknown) => {
        // The key is unique. If the object exists, an earlier attempt wrote it, and its response was lost.
        if (!isCode(error, 'conflict') || !(await hasObject(objects, key, signal))) throw error
      })
    } catch (error) {
      throw unwritablePlace(error)
    }
    return { key }
  }

  /**
   * Call it after `put`. If the row of the bytes has an older location, deletes the new object; but if the bytes at the
   * older location are lost or changed, moves the row to the new object.
   */
  async resolveDuplicate(sha256: string, newLocation: ObjectLocation): Promise<void> {
    const location = await this.store.find(sha256)
    if (location === undefined || isSameLocation(location, newLocation)) return
    const from = location instanceof Uint8Array ? 'database' : location
    const isNeeded = !(await this.#isSound(sha256, location)) && (await this.store.move(sha256, newLocation, from))
    if (isNeeded) await this.tidy()
    else await this.remove(newLocation)
  }

  async #isSound(sha256: string, location: Uint8Array | ObjectLocation): Promise<boolean> {
    try {
      await this.readAt(sha256, location)
      return true
    } catch (error) {
      if (areBytesLost(error)) return false
      throw error
    }
  }

  /**
   * The bytes of a file. Checks their hash.
   *
   * @throws ContextError `not-found` if no session has a file with these bytes, or their object is missing; `conflict` if the
   * bytes have changed; `unavailable`.
   */
  async read(sha256: string, signal?: AbortSignal): Promise<Uint8Array> {
    const location = await this.store.find(sha256)
    if (location === undefined)
      throw new ContextError('not-found', `There are no bytes of ${sha256}.`, { hint: ADD_AGAIN })
    try {
      return await this.readAt(sha256, location, signal)
    } catch (error) {
      const current = await this.store.find(sha256)
      // The bytes may have been moved between the two steps.
      if (!areBytesLost(error) || current === undefined || isSameLocation(location, current)) throw error
      return this.readAt(sha256, current, signal)
    }
  }

  /** As `read`, for a known location, without a query to the database. */
  async readAt(sha256: string, location: Uint8Array | ObjectLocation, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = location instanceof Uint8Array ? location : await this.#readObject(location, signal)
    if (sha256Of(bytes) === sha256) return bytes
    const message = `The bytes of the file changed: their SHA-256 is no longer ${sha256}.`
    throw new ContextError('conflict', message, { hint: ADD_AGAIN })
  }

  async #readObject({ key }: ObjectLocation, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const objects = await this.objects()
    try {
      const read = await objects.read(key, { signal })
      return read === 'unchanged' ? NO_BYTES : read.bytes
    } catch (cause) {
      if (!isAbsent(cause)) throw unreadablePlace(cause)
      const message = `The bytes of the file are gone: there is no object ${key}.`
      throw new ContextError('not-found', message, { hint: ADD_AGAIN, cause })
    }
  }

  /** Deletes an object without a row. After a failure, the next sweep deletes it. */
  async remove({ key }: ObjectLocation): Promise<void> {
    await (await this.objects()).remove(key).catch(() => {})
  }

  /** Deletes the objects of deleted rows. Returns their number. After a failure, the next call tries again. */
  async tidy(signal?: AbortSignal): Promise<number> {
    let count = 0
    for (;;) {
      const keys = await this.store.listKeysToDelete(PAGE_SIZE)
      if (keys.length === 0) return count
      await removeObjects(await this.objects(), keys, signal)
      await this.store.forgetKeys(keys)
      count += keys.length
    }
  }

  async close(): Promise<void> {
    const objects = await this.#objects?.catch(() => undefined)
    await objects?.close()
  }
}

const ADD_AGAIN =
  'Add the file again. All processes must keep files in the same place (AMBIT_OBJECTS): "ambit doctor" shows the place.'

const ASK_ADMIN = 'The administrator finds the place with "ambit doctor", and may set another place (AMBIT_OBJECTS).'

/** Maximum number of concurrent requests; each deletes one object. */
const PARALLEL_REMOVALS = 16

export async function removeObjects(objects: Objects, keys: readonly string[], signal?: AbortSignal): Promise<void> {
  for (let at = 0; at < keys.length; at += PARALLEL_REMOVALS) {
    await Promise.all(keys.slice(at, at + PARALLEL_REMOVALS).map((key) => objects.remove(key, signal)))
  }
}

/** Whether an object with this key exists. */
export async function hasObject(objects: Objects, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await objects.head(key, { signal })
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Whether an object is missing; false if the bucket is missing. */
function isAbsent(error: unknown): boolean {
  return isCode(error, 'not-found') && !(error instanceof BucketTrouble)
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function isSameLocation(one: Uint8Array | ObjectLocation, other: Uint8Array | ObjectLocation): boolean {
  return 'key' in one && 'key' in other ? one.key === other.key : !('key' in one) && !('key' in other)
}

/** Whether an error means that bytes are missing or changed, and not merely unreachable. */
export function areBytesLost(error: unknown): boolean {
  return isCode(error, 'not-found') || isCode(error, 'conflict')
}

function isCode(error: unknown, code: ContextError['code']): error is ContextError {
  return error instanceof ContextError && error.code === code
}

/** The error for a place that cannot be read. Returns other errors unchanged. */
function unreadablePlace(cause: unknown): unknown {
  if (!(cause instanceof ContextError) || cause.code === 'cancelled') return cause
  const { hint = 'See "ambit doctor".' } = cause
  return new ContextError('unavailable', 'The place where files are kept cannot be read.', { hint, cause })
}

/** The error for a place that cannot be written. Its message does not reveal the place to the person who uploads. */
function unwritablePlace(cause: unknown): unknown {
  if (!(cause instanceof ContextError) || cause.code === 'cancelled') return cause
  if (cause instanceof NoSpace) return new NoSpace('The place where files are kept is full.', { cause })
  const hint = [cause.hint, ASK_ADMIN].filter(Boolean).join(' ')
  return new ContextError('unavailable', 'The place where files are kept cannot be written.', { hint, cause })
}
