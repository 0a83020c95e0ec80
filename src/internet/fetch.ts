import { type IncomingMessage, request } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import { Deadline } from '../core/steps.ts'
import { type AddressOptions, addressesOf, hostOf, requirePageUrl, shownUrl } from './guard.ts'
import { readBody } from './responses.ts'

export interface FetchOptions extends AddressOptions {
  /** Maximum milliseconds, including redirects; default 30,000. */
  readonly timeMs?: number
  /** Maximum bytes of a body, by its media type; default 5 MB, and 20 MB for a PDF. */
  readonly mostBytes?: (type: string) => number
  /** Whether to return the body even if the status is not a success. Default: no. */
  readonly accepts?: (status: number) => boolean
  /** Opens a connection to a checked address. For tests. */
  readonly connect?: (address: string, port: number) => Socket
}

/** Response of a URL. */
export interface FetchedResponse {
  /** URL after redirects. */
  readonly url: string
  readonly status: number
  /** In lower case, such as `text/html`; `''` for an unknown type. */
  readonly type: string
  /** The charset that the header names. */
  readonly charset: string | undefined
  readonly bytes: Buffer
}

const TIME_MS = 30_000
const MEGABYTE = 1_000_000
const MAX_REDIRECTS = 5

/** Headers of each request. The values say nothing about the user or the machine. */
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; ambit)',
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
}

/**
 * Fetches a URL of the public internet. Resolves the name, checks the addresses, and connects to a checked address; the same
 * for each redirect. Sends no cookies and no credentials. Uses no proxy, because a proxy would resolve the name again.
 *
 * @throws ContextError `invalid-input` or `denied` for a refused URL, `not-found`, `unavailable` without an answer, `over-limit`
 * for a body that is too long, `cancelled` by the signal.
 */
export async function guardedFetch(url: string, signal?: AbortSignal, options: FetchOptions = {}) {
  throwIfAborted(signal)
  const { timeMs = TIME_MS } = options
  using deadline = new Deadline(timeMs)
  try {
    return await followRedirects(url, deadline.or(signal), options)
  } catch (error) {
    throwIfAborted(signal)
    if (deadline.isOver) throw unavailable(`${shownUrl(url)} took longer than ${timeMs / 1000} seconds.`, error)
    throw error
  }
}

async function followRedirects(startUrl: string, signal: AbortSignal, options: FetchOptions): Promise<FetchedResponse> {
  let url = requirePageUrl(startUrl, options)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await requestFirst(url, { ...options, signal })
    const target = redirectTarget(response, url)
    if (target === undefined) return readResponse(response, url, options)
    response.destroy()
    url = requirePageUrl(target, options)
  }
  throw unavailable(`${shownUrl(startUrl)} redirects more than ${MAX_REDIRECTS} times.`)
}

function redirectTarget({ statusCode = 0, headers: { location } }: IncomingMessage, base: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  return URL.canParse(location, base.href) ? new URL(location, base).href : location
}

type RequestOptions = FetchOptions & { readonly signal: AbortSignal }

/** The response, before its body is read, from the first address that answers. */
async function requestFirst(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { signal } = options
  let lastError: unknown
  for (const address of await addressesOf(url, options, signal)) {
    try {
      return await requestAddress(address, url, options)
    } catch (error) {
      if (signal.aborted) throw error
      lastError = error
    }
  }
  throw unavailable(`${shownUrl(url.href)} did not answer: ${firstLine(lastError)}`, lastError)
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

function requestAddress(address: string, url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { signal, connect = (host, port) => connectTcp({ host, port }) } = options
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = request({
    createConnection: () => {
      const socket = connect(address, port)
      return url.protocol === 'https:' ? secureSocket(socket, hostOf(url)) : socket
    },
    host: hostOf(url),
    path: `${url.pathname}${url.search}`,
    headers: { ...HEADERS, host: url.host },
    signal,
  })
  // A server of another protocol may close the connection without an error.
  outgoing.on('close', () => reject(new Error('The connection was closed without an answer.')))
  outgoing.on('response', resolve).on('error', reject).end()
  return promise
}

/** A TLS connection over a socket. The certificate must match the host name, not the address. */
function secureSocket(socket: Socket, host: string): Socket {
  return connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ['http/1.1'] })
}

async function readResponse(response: IncomingMessage, url: URL, options: FetchOptions): Promise<FetchedResponse> {
  const pageName = shownUrl(url.href)
  const { statusCode = 0, headers } = response
  if ((statusCode < 200 || statusCode >= 300) && !options.accepts?.(statusCode)) {
    response.destroy()
    if (statusCode === 404 || statusCode === 410)
      throw new ContextError('not-found', `There is no ${pageName} (${statusCode}).`, { hint: 'Look for another.' })
    throw unavailable(`${pageName} is refused (${statusCode}).`)
  }
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([\w:.-]+)/.exec(one)?.[1]).find(Boolean)
  const defaultMegabytes = mediaType === 'application/pdf' ? 20 : 5
  const maxBytes = options.mostBytes?.(mediaType) ?? defaultMegabytes * MEGABYTE
  try {
    const bytes = await readDecoded(response, maxBytes, pageName)
    return { url: url.href, status: statusCode, type: mediaType, charset, bytes }
  } catch (error) {
    if (error instanceof ContextError) throw error
    throw unavailable(`${pageName} broke off: ${firstLine(error)}`, error)
  }
}

function unavailable(message: string, cause?: unknown): ContextError {
  return new ContextError('unavailable', message, { hint: 'Try again later, or look for another page.', cause })
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Maximum number of nested content encodings. */
const MAX_ENCODINGS = 2

/** The decoded body, of at most `maxBytes` bytes before and after decoding. @throws ContextError `over-limit`, `unavailable`. */
async function readDecoded(response: IncomingMessage, maxBytes: number, pageName: string): Promise<Buffer> {
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLong(pageName, maxBytes)
    return await readBody(decodeStream(response, pageName), maxBytes, () => tooLong(pageName, maxBytes))
  } finally {
    response.destroy()
  }
}

/** The decoded body. It is decoded at most one buffer ahead of its reader, so a compression bomb takes no memory. */
function decodeStream(response: IncomingMessage, pageName: string): AsyncIterable<Buffer> {
  const names = (response.headers['content-encoding'] ?? '').toLowerCase().split(',')
  const encodings = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
  const decoders = encodings.map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined))
  if (decoders.length > MAX_ENCODINGS || decoders.includes(undefined)) {
    const hint = 'Open it in a browser, and give it as a file.'
    throw new ContextError('unavailable', `${pageName} is encoded as ${encodings.join(', ').slice(0, 100)}.`, { hint })
  }
  if (decoders.length === 0) return response
  const decoderStreams = decoders.flatMap((create) => (create ? [create()] : [])).reverse()
  return pipeline([response, ...decoderStreams], () => undefined) as unknown as AsyncIterable<Buffer>
}

function tooLong(pageName: string, maxBytes: number): ContextError {
  const hint = 'Download it in another way, and give it as a file.'
  return new ContextError('over-limit', `${pageName} has more than ${maxBytes} bytes.`, { hint })
}
