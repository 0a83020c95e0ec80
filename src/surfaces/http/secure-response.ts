/** The headers that every answer of a server carries. */

import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './guard.ts'

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[]

const SECURE = Object.entries(SECURITY_HEADERS)

const NAMES: ReadonlyMap<string, string> = new Map(SECURE.map(([name]) => [name.toLowerCase(), name]))

/**
 * Writes the security headers with every answer, except those that the answer sets itself: browsers keep assets, and files are in a
 * stricter sandbox.
 */
export class SecureResponse extends ServerResponse {
  override writeHead(status: number, headers?: Given): this
  override writeHead(status: number, message?: string, headers?: Given): this
  override writeHead(status: number, ...given: [never?, never?]): this {
    const [headers] = given as readonly unknown[]
    // Headers that are set before the head cost a cheap request a twentieth of its time.
    if (isHeaderRecord(headers) && this.getHeaderNames().length === 0)
      return super.writeHead(status, withSecure(headers))
    for (const [name, value] of SECURE) if (!this.hasHeader(name)) this.setHeader(name, value)
    return super.writeHead(status, ...given)
  }
}

function isHeaderRecord(headers: unknown): headers is OutgoingHttpHeaders {
  return typeof headers === 'object' && headers !== null && !Array.isArray(headers)
}

function withSecure(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const all: OutgoingHttpHeaders = { ...SECURITY_HEADERS }
  for (const [name, value] of Object.entries(headers)) {
    const secure = NAMES.get(name.toLowerCase())
    if (secure !== undefined) delete all[secure]
    all[name] = value
  }
  return all
}
