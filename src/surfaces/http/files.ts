/** The raw bytes of files and of entries of packages: to show pictures and PDFs, and to save files. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import { Deadline } from '../../core/steps.ts'
import type { Engine } from '../../engine/engine.ts'
import { decodeSegment } from '../../text/paths.ts'
import { tagsOf } from './body.ts'
import { eventStream, IteratorFeed, type StreamConnection } from './events/event-stream.ts'
import type { ConnectedRequest } from './http-parts.ts'
import type { Limiter } from './limiters.ts'
import { announceType, disposition } from './media-types.ts'

interface FileParts {
  readonly engine: Engine
  readonly slots: Limiter
  /** Milliseconds that a part may take, at the source and at the client; all of it may take ten times as long. */
  readonly time: number
  readonly closing: AbortSignal | undefined
}

/** A file to serve. */
interface Served {
  readonly path: string
  /** Number of bytes; null where it is unknown. */
  readonly size: number | null
  /** Without quotes. */
  readonly etag: string | undefined
  readonly modifiedAt?: string
  /** Whether a part of it can be had. */
  readonly hasRanges: boolean
  isCurrent(etag: string): Promise<boolean>
  stream(range: Range | undefined): AsyncIterable<Uint8Array>
}

/**
 * The rights of a file in a browser: none. It comes from a tree or a bucket that a stranger may have filled, and has the
 * address of this server; in a sandbox it has another origin, runs nothing and loads nothing.
 */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A browser may keep it for its user, and asks each time whether it is still the same. */
const CACHING = 'private, no-cache'

/** Answers `GET /files/COLLECTION/PATH` and `GET /entries?package=…&path=…`. */
export class Files {
  readonly #parts: FileParts

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  /** A file of a collection, whether it is indexed or not. */
  file(ask: ConnectedRequest): Promise<Response> {
    const [collection = '', ...path] = segmentsOf(new URL(ask.request.url).pathname)
    return this.#answer(ask, async (signal) => {
      const file = await this.#parts.engine.file({ collection, path: path.join('/') }, signal)
      return {
        ...file,
        hasRanges: true,
        isCurrent: (etag) => file.isCurrent(etag, signal),
        stream: (range) => file.stream({ ...range, signal }),
      }
    })
  }

  /** An entry of a package, held against its manifest; only of collections, as everything that a server shows. */
  entry(ask: ConnectedRequest): Promise<Response> {
    const query = new URL(ask.request.url).searchParams
    return this.#answer(ask, async (signal) => {
      const packages = await this.#parts.engine.packages('collections')
      const { hash, stream, ...entry } = await packages.entry(packageQuery(query), { signal, emit: () => {} })
      const etag = hash === null ? undefined : `${hash.type}-${hash.value}`.replace(/[^\x21-\x7e]|"/g, '_')
      // A part cannot be held against a hash. What the hash names never changes.
      return {
        ...entry,
        etag,
        hasRanges: false,
        isCurrent: async (known) => known === etag,
        stream: () => holdLastPart(stream()),
      }
    })
  }

  async #answer(
    { request, drop }: ConnectedRequest,
    open: (signal: AbortSignal) => Promise<Served>,
  ): Promise<Response> {
    const { slots, time, closing } = this.#parts
    const free = slots.take()
    const ending = new AbortController()
    const late = new Deadline(time * 10)
    const signal = late.or(request.signal, ending.signal, closing)
    const done = () => {
      late[Symbol.dispose]()
      free()
    }
    const patience = setTimeout(() => ending.abort(), time).unref()
    try {
      const stop = () => ending.abort()
      const response = await this.#opened(request, await open(signal), { drop, done, stop })
      if (response.body === null) done()
      return response
    } catch (error) {
      done()
      throw ending.signal.aborted ? tooLate(time) : error
    } finally {
      clearTimeout(patience)
    }
  }

  async #opened(
    request: Request,
    served: Served,
    { stop, ...connection }: StreamConnection & { stop(): void },
  ): Promise<Response> {
    const headers = headersOf(served, request)
    if (await matchesTag(request, served)) {
      return new Response(null, { status: 304, headers })
    }
    const range = await rangeFor(request, served)
    if (range === 'none') {
      headers.set('Content-Range', `bytes */${served.size}`)
      headers.delete('Content-Disposition')
      return new Response(null, { status: 416, headers })
    }
    if (range) headers.set('Content-Range', `bytes ${range.from}-${range.from + range.length - 1}/${served.size}`)
    const length = range?.length ?? served.size
    if (length !== null) headers.set('Content-Length', String(length))
    const status = range ? 206 : 200
    if (request.method === 'HEAD') return new Response(null, { status, headers })
    const source = served.stream(range)[Symbol.asyncIterator]()
    // An unreadable file is an error, and not an empty answer that breaks off.
    const feed = new IteratorFeed(source, stop, await source.next())
    const limits = { stall: this.#parts.time, isSourceTimed: true, bit: Number.POSITIVE_INFINITY }
    return new Response(eventStream(feed, limits, connection), { status, headers })
  }
}

async function matchesTag({ headers }: Request, { etag, isCurrent }: Served): Promise<boolean> {
  const known = tagsOf(headers.get('if-none-match'))
  if (known[0] === '*') return true
  return etag !== undefined && known.includes(etag) && (await isCurrent(etag))
}

/** A range is of GET alone; with `If-Range` only of what is still the same. */
async function rangeFor({ method, headers }: Request, { size, etag, hasRanges, isCurrent }: Served) {
  const header = headers.get('range') ?? undefined
  if (!hasRanges || size === null || method !== 'GET' || header === undefined) return undefined
  const condition = headers.get('if-range')
  if (condition === null) return rangeOf(header, size)
  const [known] = condition.startsWith('W/') ? [] : tagsOf(condition)
  const isSame = known !== undefined && known === etag && (await isCurrent(known))
  return isSame ? rangeOf(header, size) : undefined
}

function headersOf({ path, etag, modifiedAt, hasRanges }: Served, request: Request): Headers {
  const { type, isSaved, policy } = announceType(path, request.headers.get('sec-fetch-dest') ?? undefined)
  const headers = new Headers({
    'Content-Type': type,
    'Content-Disposition': disposition(path, isSaved),
    'Content-Security-Policy': policy === undefined ? POLICY : `${POLICY}; ${policy}`,
    'Cache-Control': CACHING,
    'Accept-Ranges': hasRanges ? 'bytes' : 'none',
    // The same address is a picture to an <img>, and a file to save to others.
    Vary: 'Sec-Fetch-Dest',
  })
  if (etag !== undefined) headers.set('ETag', etag.startsWith('W/') ? etag : `"${etag}"`)
  if (modifiedAt !== undefined) headers.set('Last-Modified', new Date(modifiedAt).toUTCString())
  return headers
}

/** The parts of an address behind `/files/`, each decoded once: a slash in one is not a separator, and no name holds one. */
function segmentsOf(pathname: string): string[] {
  return pathname
    .split('/')
    .slice(2)
    .map((segment) => {
      const name = decodeSegment(segment)
      if (name === undefined || /[/\0]/.test(name)) throw odd(segment)
      return name
    })
}

function odd(segment: string): ContextError {
  const hint = 'Write /files/COLLECTION/PATH, each name escaped for itself.'
  return invalidInput(`${JSON.stringify(segment.slice(0, 200))} is not a name of a file.`, hint)
}

function packageQuery(query: URLSearchParams): { readonly package: string; readonly path?: string } {
  const [name, path] = [query.get('package'), query.get('path')]
  if (name !== null) return { package: name, ...(path !== null && { path }) }
  const hint = 'Write /entries?package=COLLECTION/NAMESPACE/NAME&path=PATH.'
  throw invalidInput('No package is named.', hint)
}

/** Each part only when the next is there: the last, which would make it whole, only when the hash is the right one. */
async function* holdLastPart(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined
  for await (const part of parts) {
    if (held) yield held
    held = part
  }
  if (held) yield held
}

function tooLate(time: number): ContextError {
  return new ContextError('unavailable', `The file did not begin to come within ${time} ms.`, { hint: 'Ask again.' })
}

/** A part of a file: `length` bytes from `from` on. */
interface Range {
  readonly from: number
  readonly length: number
}

/**
 * The one range of a header `Range`. Undefined where all is to be sent: there is no such header, or one that is none, or
 * several ranges, which a server may leave alone; `none` where nothing of the file is in it.
 */
function rangeOf(header: string | undefined, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return from < end ? { from, length: end - from } : 'none'
}
