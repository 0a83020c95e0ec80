/**
 * The port of what Ambit keeps by itself outside of its database: bytes that are written once, whole, and never changed,
 * by keys that the writer makes up. In a directory of this machine, or in a shared bucket of S3.
 */

import { BucketTrouble, ContextError } from '../core/errors.ts'
import { listPages, type ObjectInfo, type Objects } from './objects.ts'

export type BlobInfo = Pick<ObjectInfo, 'key' | 'size' | 'modifiedAt'>

/** Everything may fail with `cancelled`, `denied` and `unavailable`; where no room is left, with `NoSpace`. */
export interface Blobs {
  /** `file:///srv/objects` or `s3://bucket/prefix`: without a slash at its end. Nothing secret is in it. */
  readonly uri: string
  /**
   * All of it or nothing. When it is done, it outlasts a machine that stops at once.
   *
   * @throws ContextError `conflict` when it exists: with a unique key, an earlier attempt wrote it.
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** At most 64 MiB. @throws ContextError `not-found`; `over-limit`. */
  get(key: string, signal?: AbortSignal): Promise<Uint8Array>
  has(key: string, signal?: AbortSignal): Promise<boolean>
  /** Removing a missing key is not an error. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** Those whose keys begin alike, in order, some at a time. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<readonly BlobInfo[]>
  /** Takes away what writers left behind that were interrupted, below a prefix that ends with a slash. */
  tidy(prefix: string, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Parts of a store of blobs. */
export interface BlobParts {
  /** Undefined while the place does not exist: there are no blobs then. */
  objects(): Promise<Objects | undefined>
  /** Creates the place if necessary. */
  made(): Promise<Objects>
  remove(key: string, signal: AbortSignal | undefined): Promise<void>
  tidy(prefix: string, signal: AbortSignal | undefined): Promise<void>
  /** Ends what was opened; opens nothing. */
  close(): Promise<void>
}

export function blobsOver(uri: string, parts: BlobParts): Blobs {
  return {
    uri,
    put: async (key, bytes, signal) => {
      const objects = await parts.made()
      await objects.put(key, bytes, { if: 'absent', signal })
    },
    get: async (key, signal) => {
      const read = await (await parts.objects())?.read(key, { signal })
      if (typeof read === 'object') return read.bytes
      throw new ContextError('not-found', `${uri}/${key} does not exist.`)
    },
    has: async (key, signal) => {
      const objects = await parts.objects()
      const found = objects?.head(key, { signal }).catch((error: unknown) => {
        if (!isAbsent(error)) throw error
      })
      return (await found) !== undefined
    },
    remove: (key, signal) => parts.remove(key, signal),
    async *list(prefix, signal) {
      const objects = await parts.objects()
      if (objects) for await (const page of listPages(objects, { prefix, signal })) yield page.objects
    },
    tidy: (prefix, signal) => parts.tidy(prefix, signal),
    close: () => parts.close(),
  }
}

/** Not where the bucket is what is missing. */
export function isAbsent(error: unknown): boolean {
  return error instanceof ContextError && error.code === 'not-found' && !(error instanceof BucketTrouble)
}
