/** Caching rules of RFC 9111 for the private cache of one person: what is stored, and how long it is fresh. */

import type { IncomingHttpHeaders } from 'node:http'

/** The properties of a response, without its body. */
export interface Freshness {
  /** A conditional request sends these to the server. */
  readonly etag?: string
  readonly lastModified?: string
  /** Milliseconds since 1970; 0: every use asks the server. */
  readonly freshUntil: number
}

/** Maximum age without asking the server, whatever it allows: a question is about today. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** Undefined for a response that may not be stored, or could never be used again. */
export function freshnessOf(status: number, headers: IncomingHttpHeaders, now: number): Freshness | undefined {
  const rules = directivesIn(headers['cache-control'])
  if (status !== 200 || rules.has('no-store') || headers.vary?.includes('*')) return undefined
  const freshUntil = rules.has('no-cache') ? 0 : now + Math.min(LONGEST_MS, lifetimeOf(headers, rules, now))
  const { etag, 'last-modified': lastModified } = headers
  if (etag === undefined && lastModified === undefined && freshUntil <= now) return undefined
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }), freshUntil }
}

/** The properties after a 304: the new headers replace the known ones. */
export function renewedFreshness(known: Freshness, headers: IncomingHttpHeaders, now: number): Freshness | undefined {
  return freshnessOf(200, { etag: known.etag, 'last-modified': known.lastModified, ...headers }, now)
}

/** The headers of a conditional request. */
export function conditionsOf({ etag, lastModified }: Freshness): Readonly<Record<string, string>> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

/** Milliseconds. */
function lifetimeOf(headers: IncomingHttpHeaders, rules: ReadonlyMap<string, string>, now: number): number {
  const age = Number(headers.age ?? 0) || 0
  const seconds = rules.get('max-age')
  if (seconds !== undefined) return Math.max(0, (Number(seconds) || 0) - age) * 1000
  const { expires } = headers
  const lifetime = expires === undefined ? Number.NaN : Date.parse(expires) - (Date.parse(headers.date ?? '') || now)
  return lifetime > 0 ? lifetime : 0
}

function directivesIn(text = ''): ReadonlyMap<string, string> {
  const pairs = text.toLowerCase().split(',')
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [name.trim(), value.trim().replace(/^"|"$/g, '')]
    }),
  )
}
