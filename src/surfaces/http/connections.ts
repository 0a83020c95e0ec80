/** Who is connected: how many from one address, and for how long without a request. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressPrefix } from './problem.ts'

export interface ConnectionLimits {
  /** Connections at once, and those of one address. */
  readonly all: number
  readonly each: number
  /** Of these, those that have no request under way, and those of one address. */
  readonly idle: number
  readonly idleEach: number
  /** Milliseconds in which a body must bring so many bytes. */
  readonly slowMs: number
  readonly slowBytes: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  all: 4_096,
  each: 2_048,
  idle: 1_024,
  idleEach: 512,
  slowMs: 10_000,
  slowBytes: 4_096,
}

/** How often is looked for bodies that come too slowly, in milliseconds. */
const LOOK = 1_000

interface Body {
  readonly socket: Socket
  /** Bytes of the connection at the last look that found enough of them, and when that was. */
  bytes: number
  at: number
}

/**
 * Gives each address its share. A new connection closes the oldest one without a request, of the address that has the most: idle
 * connections never keep the administrator out.
 */
export function shareConnections(server: Server, limits = CONNECTION_LIMITS): void {
  const connections = new Connections(limits)
  server.on('connection', (socket: Socket) => connections.add(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => connections.begin(request, response))
  const looking = setInterval(() => connections.endSlow(performance.now()), LOOK).unref()
  server.on('close', () => clearInterval(looking))
}

class Connections {
  readonly #limits: ConnectionLimits
  /** Of each address those without a request, the oldest first. */
  readonly #idle = new Map<string, Set<Socket>>()
  readonly #counts = new Map<string, number>()
  readonly #addresses = new WeakMap<Socket, string>()
  readonly #bodies = new Map<IncomingMessage, Body>()
  #all = 0
  #allIdle = 0
  /** When bodies were last looked at. */
  #looked = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  add(socket: Socket): void {
    const address = addressPrefix(socket.remoteAddress ?? '')
    this.#addresses.set(socket, address)
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
    this.#all++
    socket.once('close', () => this.#remove(socket, address))
    this.#rest(socket, address)
    this.#keepShares(address)
  }

  /** A request is under way, until it is answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request
    const address = this.#addresses.get(socket)
    if (address === undefined) return
    this.#wake(socket, address)
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody) this.#bodies.set(request, { socket, bytes: socket.bytesRead, at: performance.now() })
    response.once('close', () => {
      this.#bodies.delete(request)
      if (!socket.destroyed) this.#rest(socket, address)
    })
  }

  /** Ends the connections whose bodies come too slowly. */
  endSlow(now: number): void {
    const { slowMs, slowBytes } = this.#limits
    // Where the process itself was busy, nothing could come: that is not a fault of the line.
    const isLate = now - this.#looked > 2 * LOOK
    this.#looked = now
    for (const [request, body] of this.#bodies) {
      if (request.complete) this.#bodies.delete(request)
      else if (isLate || body.socket.bytesRead - body.bytes >= slowBytes) {
        body.bytes = body.socket.bytesRead
        body.at = now
      } else if (now - body.at >= slowMs) body.socket.destroy()
    }
  }

  #keepShares(address: string): void {
    const { all, each, idle, idleEach } = this.#limits
    const own = this.#idle.get(address)?.size ?? 0
    if (own > idleEach || (this.#counts.get(address) ?? 0) > each) this.#dropOldest(address)
    if (this.#allIdle > idle || this.#all > all) this.#dropOldest(this.#greediest())
  }

  /** The address with the most connections that ask nothing. */
  #greediest(): string {
    let [most, found] = [0, '']
    for (const [address, { size }] of this.#idle) if (size > most) [most, found] = [size, address]
    return found
  }

  #dropOldest(address: string): void {
    const [oldest] = this.#idle.get(address) ?? []
    if (!oldest) return
    this.#wake(oldest, address)
    oldest.destroy()
  }

  #rest(socket: Socket, address: string): void {
    const own = this.#idle.get(address) ?? new Set()
    if (own.has(socket)) return
    this.#idle.set(address, own.add(socket))
    this.#allIdle++
  }

  #wake(socket: Socket, address: string): void {
    const own = this.#idle.get(address)
    if (!own?.delete(socket)) return
    this.#allIdle--
    if (own.size === 0) this.#idle.delete(address)
  }

  #remove(socket: Socket, address: string): void {
    this.#wake(socket, address)
    this.#all--
    const left = (this.#counts.get(address) ?? 1) - 1
    if (left > 0) this.#counts.set(address, left)
    else this.#counts.delete(address)
  }
}
