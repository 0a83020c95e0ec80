import { asContextError, type ErrorCode, hintOf, LimitReached, NoSpace } from '../../core/errors.ts'
import { setNewest } from '../../core/set-newest.ts'
import { serializeVisibly } from '../../text/invisible.ts'

export const CODE_STATUS: Readonly<Record<ErrorCode, number>> = {
  'not-found': 404,
  'invalid-input': 400,
  conflict: 409,
  denied: 403,
  untrusted: 403,
  unavailable: 503,
  'over-limit': 413,
  cancelled: 499,
}

/** The statuses of the server's responses: the `title` of RFC 9457, and the code of a refusal. */
const STATUSES: Readonly<Record<number, readonly [title: string, code: ProblemCode]>> = {
  400: ['Bad Request', 'invalid-input'],
  401: ['Unauthorized', 'denied'],
  403: ['Forbidden', 'denied'],
  404: ['Not Found', 'not-found'],
  405: ['Method Not Allowed', 'invalid-input'],
  409: ['Conflict', 'conflict'],
  413: ['Content Too Large', 'over-limit'],
  414: ['URI Too Long', 'over-limit'],
  415: ['Unsupported Media Type', 'invalid-input'],
  429: ['Too Many Requests', 'over-limit'],
  431: ['Request Header Fields Too Large', 'over-limit'],
  499: ['Client Closed Request', 'cancelled'],
  500: ['Internal Server Error', 'internal'],
  503: ['Service Unavailable', 'unavailable'],
  507: ['Insufficient Storage', 'unavailable'],
}

type ProblemCode = ErrorCode | 'internal'

/** Status and text of a refusal. */
export interface Refusal {
  readonly status: number
  /** Default: the code of the status. */
  readonly code?: ProblemCode
  readonly detail: string
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown to refuse a request during its processing. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

/** The refusal of an unknown path. */
export const NOT_FOUND: Refusal = { status: 404, detail: 'There is nothing here.', hint: 'See /openapi.json.' }

/**
 * The refusal of unknown clients while the database is unavailable. It does not name the reason, which may contain the name of
 * the database.
 */
export const IDENTITY_UNKNOWN: Refusal = {
  status: 503,
  detail: 'Your identity cannot be checked now.',
  hint: 'Try again in a moment. "ambit doctor" shows the administrator of the server the reason.',
}

/**
 * An error in the format of RFC 9457, with the code and the hint of a ContextError. The message of any other error is not sent,
 * because it may contain anything.
 */
export function toProblem(thrown: unknown) {
  const error = asContextError(thrown)
  if (!error) return problemOf({ status: 500, detail: 'The server failed.', hint: 'This is a bug in Ambit.' })
  const { code, message } = error
  const status = error instanceof LimitReached ? 429 : error instanceof NoSpace ? 507 : CODE_STATUS[code]
  return problemOf({ status, code, detail: message, hint: hintOf(error) })
}

function problemOf({ status, detail, hint, ...refusal }: Refusal) {
  const [title, code] = STATUSES[status] ?? ['Error', 'internal']
  return { type: 'about:blank', title, status, detail, code: refusal.code ?? code, ...(hint !== undefined && { hint }) }
}

/** The response to a refused request, or to an error as a problem. */
export function refuse(refusal: Refusal): Response {
  const { status, headers } = refusal
  return new Response(serializeVisibly(problemOf(refusal)), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...retryAfter(status), ...headers },
  })
}

/** The header `Retry-After`, in seconds, for a status after which a retry may help. */
export function retryAfter(status: number): Readonly<Record<string, string>> {
  return status === 503 || status === 429 ? { 'Retry-After': '1' } : {}
}

/** Maximum number of failures of an address in a minute. */
const MAX_FAILURES = 20
const WINDOW_MS = 60_000

/** Maximum number of stored addresses. The oldest is removed first. */
const MAX_ADDRESSES = 10_000

/** Counts failures by address, in windows of a minute. */
export class FailureCounter {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>()

  /** Counts a failure. Returns the seconds that the address must wait; 0 below the limit. */
  count(address: string, now = Date.now()): number {
    const name = addressPrefix(address)
    const known = this.#byAddress.get(name)
    const current = known && known.until > now ? known : { count: 0, until: now + WINDOW_MS }
    if (current !== known) setNewest(this.#byAddress, name, current, MAX_ADDRESSES)
    current.count++
    return current.count > MAX_FAILURES ? Math.ceil((current.until - now) / 1000) : 0
  }
}

/**
 * The part of an address that identifies a client: an IPv4 address, even if it is written as IPv6 (`::ffff:192.0.2.1`); for IPv6
 * the /64 network, which belongs to one customer.
 */
export function addressPrefix(address: string): string {
  const lower = address.toLowerCase().replace(/%.*/s, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1]
  if (mapped !== undefined || !lower.includes(':')) return mapped ?? lower
  const [head = '', tail = ''] = lower.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = lower.includes('::') ? Array(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
