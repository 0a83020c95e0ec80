import { BOUNDS } from '../core/bounds.ts'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import type { Why } from '../core/flow.ts'
import { SharedWork } from '../core/steps.ts'
import { oneLine } from '../text/controls.ts'
import type { RootAccess } from './bucket-root.ts'

/**
 * The port of what is kept by key: a directory, or a bucket of S3. Narrow on purpose: it is what a place in a bucket, a
 * package and an index need, and every driver does all of it.
 *
 * A key is any text of 1 to 1,024 bytes of UTF-8, opaque: `a//b`, `../a` and `/a` are keys like others. A driver that cannot
 * hold one says `not-found` when it is read. Keys are compared byte by byte, never folded.
 */

/** The properties of an object, without its bytes. */
export interface ObjectInfo {
  readonly key: string
  /** Bytes of the whole object. */
  readonly size: number
  /** Opaque; another whenever the bytes are. Without quotes. */
  readonly etag: string
  /** When it was written. ISO 8601, UTC. */
  readonly modifiedAt: string
  /** Of a bucket that keeps versions. */
  readonly version?: string
}

/** The properties of a written object, without its time, which a service does not return. */
export type ObjectWritten = Omit<ObjectInfo, 'modifiedAt'>

/** An object, or a part of it. */
export interface ObjectRead extends ObjectInfo {
  readonly bytes: Uint8Array
}

export interface ReadRequest {
  /** The first byte that is wanted. Default: 0. */
  readonly from?: number | undefined
  /**
   * Most bytes that are wanted. What lies behind the end is left out, and there may be none. Default: to the end, and then
   * `over-limit` where that is more than `maxBytes`.
   */
  readonly length?: number | undefined
  /** Most bytes that are read where no `length` is given. Default: `BOUNDS.object`, 64 MiB. */
  readonly maxBytes?: number | undefined
  /** This version, and no other. */
  readonly version?: string | undefined
  /** The etag of what the caller has: when it is still current, `unchanged` is given and nothing is read. */
  readonly unless?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface StreamRequest extends Pick<ReadRequest, 'from' | 'version' | 'signal'> {
  /** Most bytes that are wanted. What lies behind the end is left out. Default: to the end. */
  readonly length?: number | undefined
  /** The etag of what the caller knows: an object that was replaced is a `conflict`. */
  readonly only?: string | undefined
}

export interface ListRequest {
  /** Keys that begin like this, as text: `a/b` also begins `a/bc`. Default: all. */
  readonly prefix?: string | undefined
  /** Keys that hold it behind the prefix are given as one prefix each, up to and with it. Default: none. */
  readonly delimiter?: string | undefined
  /** End of the page before: `next` of its answer. */
  readonly token?: string | undefined
  /** Maximum number of keys and prefixes of a page, 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** One page of a listing. Keys and prefixes are each ascending by their bytes of UTF-8. */
export interface ObjectPage {
  readonly objects: readonly ObjectInfo[]
  readonly prefixes: readonly string[]
  /** Entries that cannot be objects: a link that leads outside, a name that is not text. Never in a bucket. */
  readonly left: readonly ObjectLeft[]
  /** Opaque; absent on the last page. */
  readonly next?: string
}

/** Something among the keys of a page that is not an object. */
export interface ObjectLeft {
  readonly key: string
  readonly why: Why
  readonly detail: string
}

export interface PutRequest {
  /** Only when there is none, or only in place of this state. Default: it replaces any object. */
  readonly if?: 'absent' | { readonly etag: string }
  readonly signal?: AbortSignal | undefined
}

export interface PutStreamRequest extends PutRequest {
  /** Bytes that come. Default: unknown, and then a bucket takes about 80 GiB at most. */
  readonly size?: number | undefined
}

/** Most keys and prefixes of a page. */
export const MAX_PAGE = 1000

/** A store of objects. Every method may fail with `cancelled`, `denied`, `unavailable` and `not-found` (no such bucket). */
export interface Objects {
  /** `file:///srv/docs` or `s3://bucket/prefix`: without a slash at its end. Nothing secret is in it. */
  readonly uri: string
  /** One request; two for an empty range. @throws ContextError `not-found`; `over-limit`. */
  read(key: string, request?: ReadRequest): Promise<ObjectRead | 'unchanged'>
  /**
   * The bytes of an object, or of a part of it, as they come, with little memory, however large it is. Ended early, it leaves
   * nothing open.
   *
   * @throws ContextError `not-found`, also while it is read when it was replaced meanwhile (`conflict`).
   */
  stream(key: string, request?: StreamRequest): AsyncIterable<Uint8Array>
  /** One request. @throws ContextError `not-found`. */
  head(key: string, request?: Pick<ReadRequest, 'version' | 'signal'>): Promise<ObjectInfo>
  list(request?: ListRequest): Promise<ObjectPage>
  /**
   * Writes a whole object, all of it or nothing.
   *
   * @throws ContextError `conflict` when there is one already (`if: 'absent'`), or it is not what the caller knows (an
   * etag). After a failure that is `unavailable` or `cancelled` it may have been written nevertheless, and so may it when
   * a request was sent again, of which the first answer was lost: the `conflict` is then with oneself.
   * `invalid-input` for a key that cannot be held.
   */
  put(key: string, bytes: Uint8Array, request?: PutRequest): Promise<ObjectWritten>
  /**
   * As `put`, of any size, from bytes as they come: all of it or nothing. A bucket gets it in parts, and checks each by its
   * MD5; parts that an interrupted upload of the same key left there are not sent again.
   */
  putStream(key: string, bytes: AsyncIterable<Uint8Array>, request?: PutStreamRequest): Promise<ObjectWritten>
  /** What is not there is removed already. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /**
   * Removes what writers of these keys left behind when they were killed, and of all below a key that ends with a slash; in a bucket,
   * when it is older than a day.
   */
  sweep(keys: readonly string[], signal?: AbortSignal): Promise<void>
  /** Ends what is open. */
  close(): Promise<void>
}

/**
 * The pages of a listing, one after the other.
 *
 * @throws ContextError `unavailable` for a service that goes in circles: its pages would not end.
 */
export async function* listPages(
  objects: Objects,
  request: ListRequest = {},
): AsyncGenerator<ObjectPage, void, undefined> {
  const seen = new Set<string>()
  for (let next: string | undefined; ; ) {
    throwIfAborted(request.signal)
    const page = await objects.list(next === undefined ? request : { ...request, token: next })
    yield page
    next = page.next
    if (next === undefined) return
    if (seen.has(next)) {
      const message = `${objects.uri} cannot be listed: the service returns the same pages again.`
      throw new ContextError('unavailable', message)
    }
    seen.add(next)
  }
}

/** Characters of a key shown in a message. */
const SHOWN = 200

/** Whether any driver can hold it: 1 to `BOUNDS.key` bytes of UTF-8. */
export function isKey(key: string): boolean {
  return key !== '' && key.length <= BOUNDS.key && key.isWellFormed() && Buffer.byteLength(key) <= BOUNDS.key
}

/** The order of two texts by their bytes of UTF-8, which is not that of JavaScript: it puts emoji before `ﬀ`. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Half of a character beyond the first 65,536 stands behind all that are not. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** An object as messages name it: without its controls, and cut when very long. */
export function objectLabel(uri: string, key = ''): string {
  const short = key.length > SHOWN ? `${key.slice(0, SHOWN)}…` : key
  return key === '' ? uri : `${uri}/${oneLine(short)}`
}

export function objectNotFound(place: string, why = 'does not exist.', hint?: string): ContextError {
  return new ContextError('not-found', `${place} ${why}`, hint === undefined ? {} : { hint })
}

/**
 * Objects of which equal requests that are under way at the same time are one: several places of a bucket are asked about at
 * once. After a put, no caller gets the answer of an earlier request.
 */
export function shareRequests(objects: Objects): Objects {
  const work = new SharedWork<unknown>()
  const shared = <Answer>(
    key: readonly unknown[],
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal | undefined,
  ): Promise<Answer> => work.do(JSON.stringify(key), ask, signal) as Promise<Answer>
  return {
    ...objects,
    // A whole object is often large, and mostly read by who stores it: each has its own.
    read: (key, { signal, ...request } = {}) => {
      if (request.length === undefined) return objects.read(key, { ...request, signal })
      return shared(['read', key, request], (stop) => objects.read(key, { ...request, signal: stop }), signal)
    },
    head: (key, { signal, ...request } = {}) =>
      shared(['head', key, request], (stop) => objects.head(key, { ...request, signal: stop }), signal),
    list: ({ signal, ...request } = {}) =>
      shared(['list', request], (stop) => objects.list({ ...request, signal: stop }), signal),
    put: (...put) => objects.put(...put).finally(() => work.forget()),
    putStream: (...put) => objects.putStream(...put).finally(() => work.forget()),
  }
}

/** Opens the objects at a root. `own`: how it is reached, where that is said of this root. */
export type OpenRoot = (root: string, own?: RootAccess) => Promise<Objects>

/**
 * Opens objects, and keeps the connections to buckets until the end: a directory is cheap to open, and may be exchanged.
 *
 * @param open None where nothing can be opened: `unavailable` is then thrown.
 */
export function keptObjects(open: OpenRoot | undefined) {
  const kept = new Map<string, Promise<Objects>>()
  return {
    open: async (root: string, own?: RootAccess): Promise<Objects> => {
      if (!open) throw new ContextError('unavailable', 'This engine opens no objects.', { hint: 'Make it by open().' })
      if (!/^s3:/.test(root)) return open(root, own)
      const key = JSON.stringify([root, own])
      const known = kept.get(key)
      if (known) return known
      const opening = open(root, own).then(shareRequests)
      kept.set(key, opening)
      // A failed opening is forgotten, and tried again.
      opening.catch(() => kept.delete(key))
      return opening
    },
    close: async () => {
      const closing = [...kept.values()]
      kept.clear()
      await Promise.all(closing.map((opening) => opening.then((one) => one.close()).catch(() => {})))
    },
  }
}

/** The result, or undefined where it is missing. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return undefined
    throw error
  }
}

/** The object of a key with its text; undefined where there is none. */
export async function readTextAt(objects: Objects, key: string, request: Omit<ReadRequest, 'unless'>) {
  const read = await ignoreMissing(objects.read(key, request))
  if (read === undefined || read === 'unchanged') return undefined
  return { ...read, text: Buffer.from(read.bytes).toString() }
}
