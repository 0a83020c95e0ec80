import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ContextError } from '../../core/errors.ts'
import { SecureResponse } from './guard.ts'
import type { HttpApp, HttpEnv } from './http-parts.ts'
import { addressPrefix, type Refusal, refuse } from './problem.ts'

/** Limits of the protocol. Times in milliseconds, sizes in bytes. */
const MAX_HEADER_BYTES = 16_384
const MAX_URL_BYTES = 8_192
const MAX_HEADERS = 100
const HEADER_TIMEOUT_MS = 8_000
const REQUEST_TIMEOUT_MS = 60_000
/** Milliseconds between two checks for late headers and slow bodies. A slow connection ends within ten seconds. */
const CHECK_INTERVAL_MS = 1_000

/**
 * Binds the address. Call `serveRequests` right after this: until then, requests get no response.
 *
 * @throws ContextError `conflict` when the port is taken, `denied`, `unavailable`.
 */
export async function bindAddress(address: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer({
    ServerResponse: SecureResponse,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADER_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: 5_000,
  })
  // No limit here, because Node would silently drop headers above its limit. `headRefusal` refuses requests with too
  // many headers.
  server.maxHeadersCount = 0
  // Never reached, because `shareConnections` has lower limits.
  server.maxConnections = 2 * CONNECTION_LIMITS.all
  shareConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(bindError(error, address, port)))
    server.listen(port, address, resolve)
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Passes requests to the app, after the checks that need the socket. */
export function serveRequests(server: Server, app: HttpApp, isClosing: () => boolean): void {
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpEnv), {
    errorHandler: () => refuse(MALFORMED),
  })
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = isClosing() ? CLOSING : headRefusal(incoming)
    if (refusal) sendRefusal(outgoing, refusal)
    else listener(incoming, outgoing)
  })
}

function headRefusal({ rawHeaders, url = '' }: IncomingMessage): Refusal | undefined {
  if (url.length > MAX_URL_BYTES) {
    return { status: 414, detail: 'The address is too long.', hint: 'Send the inputs by POST.' }
  }
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    return { status: 431, detail: `There are more than ${MAX_HEADERS} headers.`, hint: 'Send fewer.' }
  }
  // A host in the address would override the checked header.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  return url.startsWith('/') && hosts.length <= 1 ? undefined : TWO_HOSTS
}

const MALFORMED: Refusal = {
  status: 400,
  detail: 'The request is malformed.',
  hint: 'Send a path, and a header Host that is a name and a port.',
}

const TWO_HOSTS: Refusal = {
  status: 400,
  detail: 'The request names its host more than once.',
  hint: 'Send one header Host, and a path alone in the first line.',
}

const CLOSING: Refusal = { status: 503, detail: 'The server is stopping.', hint: 'Try again when it is back.' }

/** Refuses a request without reading its body. */
function sendRefusal(outgoing: ServerResponse, refusal: Refusal): void {
  const response = refuse(refusal)
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), Connection: 'close' })
  response.text().then((text) => outgoing.end(text))
}

function bindError(cause: NodeJS.ErrnoException, address: string, port: number): ContextError {
  const where = `${address}, port ${port}`
  if (cause.code === 'EADDRINUSE') {
    const hint = 'Choose another with --port, or 0 for any that is free.'
    return new ContextError('conflict', `Another program listens on ${where}.`, { hint, cause })
  }
  if (cause.code === 'EACCES') {
    const hint = 'Choose a --port above 1023.'
    return new ContextError('denied', `The system does not allow ${where}.`, { hint, cause })
  }
  const hint = 'Choose another with --host, or --port.'
  return new ContextError('unavailable', `The server cannot listen on ${where}: ${cause.code}.`, { hint, cause })
}

export const CONNECTION_LIMITS = {
  /** Maximum connections at once: of all addresses, and of one address. */
  all: 4_096,
  each: 2_048,
  /** Maximum connections without a request: of all addresses, and of one address. */
  idle: 1_024,
  idleEach: 512,
  /** The client must send at least `slowBytes` of a body in each `slowMs` milliseconds. */
  slowMs: 10_000,
  slowBytes: 4_096,
}
type ConnectionLimits = Readonly<typeof CONNECTION_LIMITS>

interface BodyProgress {
  readonly socket: Socket
  /** Bytes that the connection had read at the last check that found progress, and the time of this check. */
  bytes: number
  checkedAt: number
}

/**
 * Limits connections. At a limit, a new connection closes the oldest idle connection of the address with the most idle
 * connections, so that idle connections cannot keep the administrator out.
 */
export function shareConnections(server: Server, limits = CONNECTION_LIMITS): void {
  const connections = new Connections(limits)
  server.on('connection', (socket: Socket) => connections.add(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => connections.begin(request, response))
  const checking = setInterval(() => connections.endSlow(performance.now()), CHECK_INTERVAL_MS).unref()
  server.on('close', () => clearInterval(checking))
}

/** The connections of one address. */
interface AddressConnections {
  all: number
  /** Connections without a request, the oldest first. */
  readonly idle: Set<Socket>
}

class Connections {
  readonly #limits: ConnectionLimits
  readonly #peers = new Map<string, AddressConnections>()
  readonly #peerOf = new WeakMap<Socket, AddressConnections>()
  readonly #bodies = new Map<IncomingMessage, BodyProgress>()
  /** The time of the last check of bodies. */
  #checkedAt = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  add(socket: Socket): void {
    const address = addressPrefix(socket.remoteAddress ?? '')
    const peer = this.#peers.get(address) ?? { all: 0, idle: new Set() }
    this.#peers.set(address, peer)
    this.#peerOf.set(socket, peer)
    peer.all++
    socket.once('close', () => {
      peer.idle.delete(socket)
      if (--peer.all === 0) this.#peers.delete(address)
    })
    peer.idle.add(socket)
    this.#enforceLimits(peer)
  }

  /** Marks a connection as busy until its request is answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request
    const peer = this.#peerOf.get(socket)
    if (!peer) return
    peer.idle.delete(socket)
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody) this.#bodies.set(request, { socket, bytes: socket.bytesRead, checkedAt: performance.now() })
    response.once('close', () => {
      this.#bodies.delete(request)
      if (!socket.destroyed) peer.idle.add(socket)
    })
  }

  /** Ends connections with slow bodies. */
  endSlow(now: number): void {
    const { slowMs, slowBytes } = this.#limits
    // If this process was too busy to read, the clients did not cause the delay.
    const wasBlocked = now - this.#checkedAt > 2 * CHECK_INTERVAL_MS
    this.#checkedAt = now
    for (const [request, body] of this.#bodies) {
      if (request.complete) this.#bodies.delete(request)
      else if (wasBlocked || body.socket.bytesRead - body.bytes >= slowBytes) {
        body.bytes = body.socket.bytesRead
        body.checkedAt = now
      } else if (now - body.checkedAt >= slowMs) body.socket.destroy()
    }
  }

  #enforceLimits(peer: AddressConnections): void {
    const { all, each, idle, idleEach } = this.#limits
    if (peer.idle.size > idleEach || peer.all > each) dropOldest(peer)
    const peers = [...this.#peers.values()]
    const sumOf = (count: (one: AddressConnections) => number) => peers.reduce((sum, one) => sum + count(one), 0)
    if (sumOf((one) => one.idle.size) <= idle && sumOf((one) => one.all) <= all) return
    dropOldest(peers.reduce((most, other) => (other.idle.size > most.idle.size ? other : most)))
  }
}

function dropOldest({ idle }: AddressConnections): void {
  const [oldest] = idle
  if (!oldest) return
  idle.delete(oldest)
  oldest.destroy()
}
