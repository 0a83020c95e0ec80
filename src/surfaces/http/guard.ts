import type { Refusal } from './problem.ts'
import { isReturn } from './sign-on/sign-on.ts'

/** What every response carries, whatever it is. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': '',
  'Cache-Control': 'no-store',
}

const METHODS = ['GET', 'HEAD', 'POST']

/**
 * Refuses what a page of another site could have sent, on every route: a name that leads to this machine by DNS
 * rebinding is not in `hosts`, and a browser tells from where a request comes. Undefined for what may pass.
 */
export function strangerRefusal(request: Request, hosts: ReadonlySet<string>): Refusal | undefined {
  const { headers, method } = request
  const allowed = /^\/api\/sessions\//.test(new URL(request.url).pathname) ? [...METHODS, 'DELETE'] : METHODS
  if (!allowed.includes(method)) return methodRefusal(allowed)
  const host = headers.get('host')
  if (!host)
    return { status: 400, code: 'invalid-input', detail: 'The request names no host.', hint: 'Send the header Host.' }
  if (!hosts.has(host.toLowerCase())) return FOREIGN_HOST
  const origin = headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, hosts)) return FOREIGN_ORIGIN
  // Who signed in elsewhere is led back from there.
  if (isReturn(request)) return undefined
  const site = headers.get('sec-fetch-site') ?? 'none'
  // Another port of the same machine is the same site, and another program.
  return site === 'none' || site === 'same-origin' ? undefined : FOREIGN_ORIGIN
}

/** The answer to a method that a route does not have. */
export function methodRefusal(allowed: readonly string[]): Refusal {
  const names = allowed.join(', ')
  return {
    status: 405,
    code: 'invalid-input',
    detail: `The method must be one of ${names}.`,
    hint: allowed.length === 1 ? `Send it by ${names}.` : 'GET reads, POST reads and writes. See /openapi.json.',
    headers: { Allow: names },
  }
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  const host = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1]
  return host !== undefined && hosts.has(host)
}

const FOREIGN_HOST: Refusal = {
  status: 403,
  code: 'denied',
  detail: 'The server is not known by this name.',
  hint: 'Use the address that it printed, or start it with --allow-host.',
}

const FOREIGN_ORIGIN: Refusal = {
  status: 403,
  code: 'denied',
  detail: 'The request comes from a page of another site.',
  hint: 'Ask from a program, or from a page of this server.',
}
