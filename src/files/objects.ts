import { BOUNDS } from '../core/bounds.ts'
import { ContextError, isNotFound } from '../core/errors.ts'
import type { Why } from '../core/flow.ts'
import { SharedWork } from '../core/steps.ts'
import { oneLine } from '../text/controls.ts'
import type { RootAccess } from './bucket-root.ts'

/**
 * The interface of an object store. Its two drivers are a directory and a bucket of S3. Callers use every method, and
 * every driver implements every method.
 *
 * A key is any opaque text of 1 to 1,024 bytes of UTF-8, such as `a//b`, `../a` and `/a`. Reading a key that a driver cannot hold
 * is `not-found`. Keys are compared byte by byte, so case matters.
 */

/** The properties of an object, without its bytes. */
export interface ObjectInfo {
  readonly key: string
  /** Number of bytes of the whole object. */
  readonly size: number
  /** A text that changes with the bytes of the object; opaque, without quotes. */
  readonly etag: string
  /** The time of the write. ISO 8601, UTC. */
  readonly modifiedAt: string
  /** The id of the version, from a bucket that keeps versions; else absent. */
  readonly version?: string
}

/** The properties of a written object. Its time is missing, because services do not return it after a write. */
export type ObjectWritten = Omit<ObjectInfo, 'modifiedAt'>

/** An object, or a part of it. */
export interface ObjectRead extends ObjectInfo {
  readonly bytes: Uint8Array
}

export interface ReadRequest {
  /** The offset of the first byte. Default: 0. */
  readonly from?: number | undefined
  /**
   * Maximum number of bytes. A range that reaches beyond the end returns fewer bytes, or none. Default: to the end;
   * then more than `maxBytes` bytes are `over-limit`.
   */
  readonly length?: number | undefined
  /** Maximum bytes of a read without `length`. Default: `BOUNDS.object`, 64 MiB. */
  readonly maxBytes?: number | undefined
  /** Reads only this version. */
  readonly version?: string | undefined
  /** The etag of the bytes that the caller already has. If it is current, the answer is `unchanged`, without bytes. */
  readonly unless?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface StreamRequest extends Pick<ReadRequest, 'from' | 'version' | 'signal'> {
  /** Maximum number of bytes. A range that reaches beyond the end returns fewer. Default: to the end. */
  readonly length?: number | undefined
  /** The etag that the object must have. A replaced object is a `conflict`. */
  readonly only?: string | undefined
}

export interface ListRequest {
  /** Lists keys that start with this text: `a/b` includes `a/bc`. Default: all. */
  readonly prefix?: string | undefined
  /**
   * Groups keys that contain this text after `prefix`: `prefixes` has the beginnings of these keys, up to and including
   * this text. Default: no groups.
   */
  readonly delimiter?: string | undefined
  /** `next` of the previous page. */
  readonly token?: string | undefined
  /** Maximum number of keys and prefixes of a page, 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** One page of a listing. Keys and prefixes each ascend by their bytes of UTF-8. */
export interface ObjectPage {
  readonly objects: readonly ObjectInfo[]
  readonly prefixes: readonly string[]
  /** Entries that cannot be objects, such as a link that leads outside, or a name that is not text. A bucket has none. */
  readonly left: readonly ObjectLeft[]
  /** Opaque; absent on the last page. */
  readonly next?: string
}

/** An entry of a page that is not an object. */
export interface ObjectLeft {
  readonly key: string
  readonly why: Why
  readonly detail: string
}

export interface PutRequest {
  /** `absent`: writes only a new object. With an etag: replaces only the object with this etag. Default: replaces any object. */
  readonly if?: 'absent' | { readonly etag: string }
  readonly signal?: AbortSignal | undefined
}

export interface PutStreamRequest extends PutRequest {
  /** Number of bytes. Default: unknown; a bucket then takes about 80 GiB at most. */
  readonly size?: number | undefined
}

/** Maximum keys and prefixes of a page. */
export const MAX_PAGE = 1000

/** A store of objects. Every method may fail with `cancelled`, `denied`, `unavailable` and `not-found` (no such bucket). */
export interface Objects {
  /** `file:///srv/docs` or `s3://bucket/prefix`, without a final slash. It contains no secret. */
  readonly uri: string
  /** Takes one request; two for an empty range. @throws ContextError `not-found`; `over-limit`. */
  read(key: string, request?: ReadRequest): Promise<ObjectRead | 'unchanged'>
  /**
   * Streams an object of any size, or a part of it, with little memory. A stream that ends early closes everything.
   *
   * @throws ContextError `not-found`; `conflict`, also during the stream, for a replaced object.
   */
  stream(key: string, request?: StreamRequest): AsyncIterable<Uint8Array>
  /** Takes one request. @throws ContextError `not-found`. */
  head(key: string, request?: Pick<ReadRequest, 'version' | 'signal'>): Promise<ObjectInfo>
  list(request?: ListRequest): Promise<ObjectPage>
  /**
   * Writes a whole object, or nothing.
   *
   * @throws ContextError `conflict` for an existing object (`if: 'absent'`), or an object with another etag. `unavailable` and
   * `cancelled` do not mean that nothing was written. When the response to a successful request was lost, its repetition may be a
   * `conflict`. `invalid-input` for a key that the driver cannot hold.
   */
  put(key: string, bytes: Uint8Array, request?: PutRequest): Promise<ObjectWritten>
  /**
   * As `put`, for a stream of any size. A bucket receives parts, checks the MD5 of each part, and keeps the parts of an
   * interrupted upload, so that the next upload of the same key does not send them again.
   */
  putStream(key: string, bytes: AsyncIterable<Uint8Array>, request?: PutStreamRequest): Promise<ObjectWritten>
  /** Removes an object. A missing object is not an error. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /**
   * Removes temporary files or parts that killed writers of these keys left. A key that ends with a slash means all
   * keys below it. In a bucket, removes only parts that are older than a day.
   */
  sweep(keys: readonly string[], signal?: AbortSignal): Promise<void>
  /** Closes the connections. */
  close(): Promise<void>
}

/**
 * The pages of a listing, in order.
 *
 * @throws ContextError `unavailable` for a service that repeats pages.
 */
export async function* listPages(objects: Objects, request: ListRequest = {}): AsyncGenerator<ObjectPage, void> {
  const seenTokens = new Set<string>()
  for (let next: string | undefined; ; ) {
    const page = await objects.list(next === undefined ? request : { ...request, token: next })
    yield page
    next = page.next
    if (next === undefined) return
    if (seenTokens.has(next)) {
      const message = `${objects.uri} cannot be listed: the service returns the same pages again.`
      throw new ContextError('unavailable', message)
    }
    seenTokens.add(next)
  }
}

/** Maximum characters of a key that a message shows. */
const MAX_SHOWN = 200

/** Whether a text is a valid key: 1 to `BOUNDS.key` bytes of UTF-8. */
export function isKey(key: string): boolean {
  return key !== '' && key.isWellFormed() && Buffer.byteLength(key) <= BOUNDS.key
}

/**
 * Compares two texts by code point. The order of UTF-8 bytes and of Python is the same; JavaScript's order puts emoji
 * before `ﬀ`. `rank`: the rank of a code point, and of the end of a text (undefined). Default: the code point; -1.
 */
export function compareBytes(a: string, b: string, rank = codePointRank): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++
  // Two different characters can have the same first surrogate: the comparison must begin at that surrogate.
  if (a.codePointAt(at - 1) !== b.codePointAt(at - 1)) at--
  return rank(a.codePointAt(at)) - rank(b.codePointAt(at))
}

const codePointRank = (point = -1): number => point

/** The label of an object in messages: without control characters, and shortened. */
export function objectLabel(uri: string, key = ''): string {
  const short = key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key
  return key === '' ? uri : `${uri}/${oneLine(short)}`
}

export function objectNotFound(place: string, why = 'does not exist.'): ContextError {
  return new ContextError('not-found', `${place} ${why}`)
}

/**
 * The same objects, but equal simultaneous requests are sent once, and share the response. After a put, no caller gets
 * the response to a request that was sent before the put.
 */
export function shareRequests(objects: Objects): Objects {
  const work = new SharedWork<unknown>()
  const share = <Answer>(
    key: readonly unknown[],
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal | undefined,
  ): Promise<Answer> => work.do(JSON.stringify(key), ask, signal) as Promise<Answer>
  return {
    ...objects,
    // A whole object is often large, and has mostly one reader, so its requests do not merge.
    read: (key, { signal, ...request } = {}) => {
      if (request.length === undefined) return objects.read(key, { ...request, signal })
      return share(['read', key, request], (stop) => objects.read(key, { ...request, signal: stop }), signal)
    },
    head: (key, { signal, ...request } = {}) =>
      share(['head', key, request], (stop) => objects.head(key, { ...request, signal: stop }), signal),
    list: ({ signal, ...request } = {}) =>
      share(['list', request], (stop) => objects.list({ ...request, signal: stop }), signal),
    put: (...args) => objects.put(...args).finally(() => work.forget()),
    putStream: (...args) => objects.putStream(...args).finally(() => work.forget()),
  }
}

/** Opens the objects at a root. `own`: the access settings of this root. */
export type OpenRoot = (root: string, own?: RootAccess) => Promise<Objects>

/**
 * Returns an opener that keeps connections to buckets until `close`. It opens a directory at each call, because the
 * directory may have been replaced, and opening is cheap.
 */
export function openOnce(open: OpenRoot) {
  const opened = new Map<string, Promise<Objects>>()
  return {
    open: async (root: string, own?: RootAccess): Promise<Objects> => {
      if (!/^s3:/.test(root)) return open(root, own)
      const key = JSON.stringify([root, own])
      const cached = opened.get(key)
      if (cached) return cached
      const opening = open(root, own).then(shareRequests)
      opened.set(key, opening)
      // The next call repeats a failed opening.
      opening.catch(() => opened.delete(key))
      return opening
    },
    close: async () => {
      const closing = [...opened.values()]
      opened.clear()
      await Promise.all(closing.map((opening) => opening.then((one) => one.close()).catch(() => {})))
    },
  }
}

/** The result of `work`; undefined for the error `not-found`. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)))
}

/** The object of a key with its text; undefined for a missing object. */
export async function readTextAt(objects: Objects, key: string, request: Omit<ReadRequest, 'unless'>) {
  const read = await ignoreMissing(objects.read(key, request))
  if (read === undefined || read === 'unchanged') return undefined
  return { ...read, text: Buffer.from(read.bytes).toString() }
}
