/** Serves the raw bytes of files and package entries, so that a client can show pictures and PDFs, and save files. */

import { ContextError, invalidInput, quoteValue } from '../../core/errors.ts'
import { Deadline } from '../../core/steps.ts'
import type { Engine } from '../../engine/engine.ts'
import { decodeSegment } from '../../text/paths.ts'
import { tagsOf } from './body.ts'
import { eventStream, iteratorFeed, type StreamConnection } from './events/event-stream.ts'
import type { ConnectedRequest } from './http-parts.ts'
import type { Limiter } from './limiters.ts'
import { chooseMediaType, disposition } from './media-types.ts'

interface FileParts {
  readonly engine: Engine
  readonly operationLimiter: Limiter
  /**
   * Time limit of a chunk in milliseconds, for the source and for the client. The limit of the whole file is ten times as long.
   */
  readonly chunkTime: number
  readonly closing: AbortSignal | undefined
}

interface ServedFile {
  readonly path: string
  /** Number of bytes; null if it is unknown. */
  readonly size: number | null
  /** Without quotes. */
  readonly etag: string | undefined
  readonly modifiedAt?: string
  readonly hasRanges: boolean
  isCurrent(etag: string): Promise<boolean>
  stream(range: Range | undefined): AsyncIterable<Uint8Array>
}

/**
 * Content security policy of files: no rights, because a stranger may have written the file. In a sandbox, the file does not have
 * the origin of this server, and runs and loads nothing.
 */
const SANDBOX_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A browser may store a file, but must revalidate it each time. */
const CACHING = 'private, no-cache'

/** Answers `GET /files/COLLECTION/PATH` and `GET /entries?package=…&path=…`. */
export class Files {
  readonly #parts: FileParts

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  /** Serves a file of a collection, indexed or not. */
  file(connected: ConnectedRequest): Promise<Response> {
    const [collection = '', ...path] = segmentsOf(new URL(connected.request.url).pathname)
    return this.#answer(connected, async (signal) => {
      const file = await this.#parts.engine.file({ collection, path: path.join('/') }, signal)
      return {
        ...file,
        hasRanges: true,
        isCurrent: (etag) => file.isCurrent(etag, signal),
        stream: (range) => file.stream({ ...range, signal }),
      }
    })
  }

  /**
   * Serves an entry of a package, and checks its hash in the manifest. The package must be in a collection, as everything that a
   * server shows.
   */
  entry(connected: ConnectedRequest): Promise<Response> {
    const query = new URL(connected.request.url).searchParams
    return this.#answer(connected, async (signal) => {
      const packages = await this.#parts.engine.packages('collections')
      const { hash, stream, ...entry } = await packages.entry(packageQuery(query), { signal, emit: () => {} })
      const etag = hash === null ? undefined : `${hash.type}-${hash.value}`.replace(/[^\x21-\x7e]|"/g, '_')
      // No ranges, because a hash can check only the whole file. The hash serves as the ETag, because it identifies the
      // content.
      return {
        ...entry,
        etag,
        hasRanges: false,
        isCurrent: async (known) => known === etag,
        stream: () => holdLastPart(stream()),
      }
    })
  }

  async #answer({ request, drop }: ConnectedRequest, open: (signal: AbortSignal) => Promise<ServedFile>) {
    const { operationLimiter, chunkTime, closing } = this.#parts
    const freeSlot = operationLimiter.take()
    const stopping = new AbortController()
    const deadline = new Deadline(chunkTime * 10)
    const signal = deadline.or(request.signal, stopping.signal, closing)
    const done = () => {
      deadline[Symbol.dispose]()
      freeSlot()
    }
    const firstChunkTimer = setTimeout(() => stopping.abort(), chunkTime).unref()
    try {
      const response = await this.#respond(request, await open(signal), { drop, done, stop: () => stopping.abort() })
      if (response.body === null) done()
      return response
    } catch (error) {
      done()
      if (!stopping.signal.aborted) throw error
      const message = `The first bytes of the file did not arrive within ${chunkTime} ms.`
      throw new ContextError('unavailable', message, { hint: 'Ask again.' })
    } finally {
      clearTimeout(firstChunkTimer)
    }
  }

  async #respond(
    request: Request,
    served: ServedFile,
    { stop, ...connection }: StreamConnection & { stop(): void },
  ): Promise<Response> {
    const headers = headersOf(served, request)
    if (await matchesTag(request, served)) return new Response(null, { status: 304, headers })
    const range = await requestedRange(request, served)
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
    // Reads the first chunk before responding, so that an unreadable file leads to an error, not to a response that is
    // cut off.
    const feed = iteratorFeed(source, stop, await source.next())
    const limits = { stall: this.#parts.chunkTime, isSourceTimed: true }
    return new Response(eventStream(feed, limits, connection), { status, headers })
  }
}

async function matchesTag({ headers }: Request, { etag, isCurrent }: ServedFile): Promise<boolean> {
  const clientTags = tagsOf(headers.get('if-none-match'))
  if (clientTags[0] === '*') return true
  return etag !== undefined && clientTags.includes(etag) && (await isCurrent(etag))
}

/** The requested range of a GET; undefined for the whole file. A range with `If-Range` counts only if the file is unchanged. */
async function requestedRange({ method, headers }: Request, { size, etag, hasRanges, isCurrent }: ServedFile) {
  const header = headers.get('range')
  if (!hasRanges || size === null || method !== 'GET' || header === null) return undefined
  const condition = headers.get('if-range')
  if (condition === null) return parseRange(header, size)
  const [clientTag] = condition.startsWith('W/') ? [] : tagsOf(condition)
  const isUnchanged = clientTag !== undefined && clientTag === etag && (await isCurrent(clientTag))
  return isUnchanged ? parseRange(header, size) : undefined
}

function headersOf({ path, etag, modifiedAt, hasRanges }: ServedFile, request: Request): Headers {
  const { type, isDownload, policy } = chooseMediaType(path, request.headers.get('sec-fetch-dest') ?? undefined)
  const headers = new Headers({
    'Content-Type': type,
    'Content-Disposition': disposition(path, isDownload),
    'Content-Security-Policy': policy === undefined ? SANDBOX_POLICY : `${SANDBOX_POLICY}; ${policy}`,
    'Cache-Control': CACHING,
    'Accept-Ranges': hasRanges ? 'bytes' : 'none',
    // The same address may be a picture for an <img>, and a download for other requests.
    Vary: 'Sec-Fetch-Dest',
  })
  if (etag !== undefined) headers.set('ETag', etag.startsWith('W/') ? etag : `"${etag}"`)
  if (modifiedAt !== undefined) headers.set('Last-Modified', new Date(modifiedAt).toUTCString())
  return headers
}

/**
 * The segments of an address after `/files/`, each decoded once. Refuses a segment with an encoded slash, because names cannot
 * contain a slash.
 */
function segmentsOf(pathname: string): string[] {
  const segments = pathname.split('/').slice(2)
  return segments.map((segment) => {
    const name = decodeSegment(segment)
    if (name !== undefined && !/[/\0]/.test(name)) return name
    const hint = 'Write /files/COLLECTION/PATH, each name escaped for itself.'
    throw invalidInput(`${quoteValue(segment)} is not a name of a file.`, hint)
  })
}

function packageQuery(query: URLSearchParams): { readonly package: string; readonly path?: string } {
  const [name, path] = [query.get('package'), query.get('path')]
  if (name !== null) return { package: name, ...(path !== null && { path }) }
  throw invalidInput('No package is named.', 'Write /entries?package=COLLECTION/NAMESPACE/NAME&path=PATH.')
}

/**
 * Yields each part after the next part has arrived. So the last part, which completes the file, is sent only if the hash is
 * right.
 */
async function* holdLastPart(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let heldPart: Uint8Array | undefined
  for await (const part of parts) {
    if (heldPart) yield heldPart
    heldPart = part
  }
  if (heldPart) yield heldPart
}

/** A part of a file: `length` bytes from offset `from`. */
interface Range {
  readonly from: number
  readonly length: number
}

/**
 * The range of a header `Range`; `none` for a range outside the file. Undefined means the whole file: for an invalid header, and
 * for several ranges, which a server may ignore.
 */
function parseRange(header: string, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return from < end ? { from, length: end - from } : 'none'
}
