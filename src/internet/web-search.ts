/**
 * The first results, best first.
 *
 * @throws ContextError `denied` for a wrong key, `over-limit` for an exhausted plan, `invalid-input` for a refused query,
 * `unavailable` after failed repeats; `cancelled`.
 */
export type Search = (query: string, options: WebSearchRequest) => Promise<readonly WebResult[]>

/** A service that searches the web. */
export interface WebSearch {
  /** The name of its provider, such as `searxng`. */
  readonly name: string
  readonly search: Search
}

/** The pages to find. A service may ignore a part of it, so callers filter the results again. */
export interface SearchScope {
  /** Include their subdomains. */
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  /** ISO 8601 days, the first and the last. */
  readonly from?: string
  readonly to?: string
  /** ISO 639-1. */
  readonly language?: string
}

export interface WebSearchRequest extends SearchScope {
  readonly limit: number
  readonly signal: AbortSignal
}

export interface WebResult {
  /** The URLs are http or https, and distinct. */
  readonly url: string
  /** Never empty. Default: the host. */
  readonly title: string
  /** Plain text; may be empty. */
  readonly snippet: string
  /** `2026-11-21`; absent for an unknown day. */
  readonly date?: string
}

/** Access to a provider. */
export interface WebSearchOptions {
  /** Default: the provider's own. SearXNG has none. */
  readonly baseUrl?: string
  readonly key?: string
  /** Milliseconds for each request; 20,000. */
  readonly timeMs?: number
  /** Minimum wait in milliseconds before a repeated request, doubled each time; 500. */
  readonly pauseMs?: number
}
