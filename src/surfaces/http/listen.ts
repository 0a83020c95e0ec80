import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ContextError } from '../../core/errors.ts'
import { CONNECTION_LIMITS, shareConnections } from './connections.ts'
import type { HttpApp, HttpEnv } from './http-parts.ts'
import { type Refusal, refuse } from './problem.ts'
import { SecureResponse } from './secure-response.ts'

/** Limits of the protocol. Times in milliseconds, sizes in bytes. */
const HEADER_BYTES = 16_384
const URL_BYTES = 8_192
const MOST_HEADERS = 100
const HEADER_TIME = 8_000
const REQUEST_TIME = 60_000
/** How often is looked for headers that are late: a line that is slow is ended within ten seconds. */
const LOOK = 1_000

/** A server that is bound and does not answer yet. */
export interface Bound {
  readonly server: Server
  readonly port: number
}

/**
 * Binds the address. Nothing is answered before `answer` is called, which must happen at once.
 *
 * @throws ContextError `conflict` when the port is taken, `denied`, `unavailable`.
 */
export async function bindAddress(address: string, port: number): Promise<Bound> {
  const server = createServer({
    ServerResponse: SecureResponse,
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADER_TIME,
    requestTimeout: REQUEST_TIME,
    connectionsCheckingInterval: LOOK,
    keepAliveTimeout: 5_000,
  })
  // Node drops the headers that are too many, without a word; the door refuses the request.
  server.maxHeadersCount = 0
  // Before it comes to this, connections are shared out.
  server.maxConnections = 2 * CONNECTION_LIMITS.all
  shareConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notBound(error, address, port)))
    server.listen(port, address, resolve)
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Answers requests by the app, behind the checks that only the socket's side can make. */
export function serveRequests(server: Server, app: HttpApp, isClosing: () => boolean): void {
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpEnv), {
    errorHandler: () => refuse(MALFORMED),
  })
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = isClosing() ? CLOSING : doorRefusal(incoming)
    if (refusal) turnAway(outgoing, refusal)
    else listener(incoming, outgoing)
  })
}

function doorRefusal({ rawHeaders, url = '' }: IncomingMessage): Refusal | undefined {
  if (url.length > URL_BYTES) {
    return { status: 414, code: 'over-limit', detail: 'The address is too long.', hint: 'Send the inputs by POST.' }
  }
  if (rawHeaders.length / 2 > MOST_HEADERS) {
    const detail = `There are more than ${MOST_HEADERS} headers.`
    return { status: 431, code: 'over-limit', detail, hint: 'Send fewer.' }
  }
  // An address with a host in it would overrule the header that is checked.
  return url.startsWith('/') && countHosts(rawHeaders) <= 1 ? undefined : TWO_HOSTS
}

/** `rawHeaders`: names and values, by turns. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

const MALFORMED: Refusal = {
  status: 400,
  code: 'invalid-input',
  detail: 'The request is malformed.',
  hint: 'Send a path, and a header Host that is a name and a port.',
}

const TWO_HOSTS: Refusal = {
  status: 400,
  code: 'invalid-input',
  detail: 'The request names its host more than once.',
  hint: 'Send one header Host, and a path alone in the first line.',
}

const CLOSING: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: 'The server is stopping.',
  hint: 'Try again when it is back.',
}

/** Whatever else was sent is not read. */
function turnAway(outgoing: ServerResponse, refusal: Refusal): void {
  const response = refuse(refusal)
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), Connection: 'close' })
  response.text().then((text) => outgoing.end(text))
}

function notBound(cause: NodeJS.ErrnoException, address: string, port: number): ContextError {
  const at = `${address}, port ${port}`
  if (cause.code === 'EADDRINUSE') {
    const hint = 'Choose another with --port, or 0 for any that is free.'
    return new ContextError('conflict', `Another program listens on ${at}.`, { hint, cause })
  }
  if (cause.code === 'EACCES') {
    const hint = 'Choose a --port above 1023.'
    return new ContextError('denied', `The system does not allow ${at}.`, { hint, cause })
  }
  const hint = 'Choose another with --host, or --port.'
  return new ContextError('unavailable', `The server cannot listen on ${at}: ${cause.code}.`, { hint, cause })
}
