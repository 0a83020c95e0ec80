import { createHash } from 'node:crypto'
import { ContextError } from '../../src/core/errors.ts'
import type {
  ListRequest,
  ObjectInfo,
  ObjectPage,
  ObjectRead,
  Objects,
  ReadRequest,
  StreamRequest,
} from '../../src/files/objects.ts'

/** What is under a key: text or bytes, or what reading it fails with. Of a version: `key?versionId`. */
export type Held = Readonly<Record<string, string | Uint8Array | ContextError>>

/** A bucket in memory, which counts what is asked of it. */
export interface MemoryObjects extends Objects {
  /** `read key`, `list prefix` …, in order. */
  readonly asked: string[]
  /** Streams that are open now, and the most there were at once. */
  readonly open: { now: number; most: number }
}

const MODIFIED = '2026-01-02T03:04:05.000Z'

export function memoryObjects(held: Held, { uri = 's3://bucket', chunk = 1 << 16, page = 1000 } = {}): MemoryObjects {
  const asked: string[] = []
  const open = { now: 0, most: 0 }
  const bytesOf = (key: string, version?: string): Uint8Array => {
    const found = held[version === undefined ? key : `${key}?${version}`]
    if (found === undefined) throw new ContextError('not-found', `There is no ${key}.`)
    if (found instanceof ContextError) throw found
    return typeof found === 'string' ? Buffer.from(found) : found
  }
  const infoOf = (key: string, bytes: Uint8Array): ObjectInfo => {
    const etag = createHash('md5').update(bytes).digest('hex')
    return { key, size: bytes.length, etag, modifiedAt: MODIFIED }
  }
  const read = async (key: string, request: ReadRequest = {}): Promise<ObjectRead | 'unchanged'> => {
    asked.push(`read ${key}`)
    const bytes = bytesOf(key, request.version)
    if (bytes.length > (request.maxBytes ?? 1 << 26)) throw new ContextError('over-limit', `${key} is too large.`)
    const { from = 0, length = bytes.length } = request
    return { ...infoOf(key, bytes), bytes: bytes.slice(from, from + length) }
  }
  async function* stream(key: string, { version, signal, from = 0, length, only }: StreamRequest = {}) {
    asked.push(`stream ${key}`)
    const whole = bytesOf(key, version)
    if (only !== undefined && only !== infoOf(key, whole).etag) throw new ContextError('conflict', `${key} is another.`)
    const bytes = whole.subarray(from, length === undefined ? undefined : from + length)
    open.most = Math.max(open.most, ++open.now)
    try {
      for (let at = 0; at < bytes.length; at += chunk) {
        await new Promise(setImmediate)
        if (signal?.aborted) throw new ContextError('cancelled', 'The call was cancelled.')
        yield bytes.subarray(at, at + chunk)
      }
    } finally {
      open.now--
    }
  }
  const list = async (request: ListRequest = {}): Promise<ObjectPage> => {
    asked.push(`list ${request.prefix ?? ''}`)
    return pageOf(held, { ...request, limit: Math.min(request.limit ?? page, page) }, infoOf)
  }
  const head = async (key: string, { version }: ReadRequest = {}) => infoOf(key, bytesOf(key, version))
  const put = () => Promise.reject(new ContextError('denied', 'It is for reading only.'))
  return {
    uri,
    asked,
    open,
    read,
    stream,
    head,
    list,
    put,
    putStream: put,
    remove: put,
    sweep: async () => {},
    close: async () => {},
  }
}

function pageOf(
  held: Held,
  { prefix = '', delimiter, token = '', limit = 1000 }: ListRequest,
  infoOf: (key: string, bytes: Uint8Array) => ObjectInfo,
): ObjectPage {
  const keys = Object.keys(held).filter((key) => key.startsWith(prefix) && !key.includes('?'))
  const names = keys.map((key) => {
    const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0 ? { key } : { prefix: key.slice(0, end + 1) }
  })
  const sorted = [...new Map(names.map((name) => [name.key ?? name.prefix ?? '', name]))]
    .filter(([text]) => text > token)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const taken = sorted.slice(0, limit)
  const bytesOf = (key: string) => {
    const found = held[key]
    return typeof found === 'string' || found instanceof Uint8Array ? Buffer.from(found) : Buffer.alloc(0)
  }
  return {
    objects: taken.flatMap(([, { key }]) => (key === undefined ? [] : [infoOf(key, bytesOf(key))])),
    prefixes: taken.flatMap(([, name]) => (name.prefix === undefined ? [] : [name.prefix])),
    left: [],
    ...(sorted.length > limit ? { next: taken.at(-1)?.[0] ?? '' } : {}),
  }
}
