/**
 * Searches the web. Returns at most `limit` results, best first.
 *
 * @throws ContextError `denied` for a wrong key, `over-limit` for an exhausted plan, `invalid-input` for a refused query,
 * `unavailable` after failed retries; `cancelled`.
 */
export type SearchFunction = (query: string, options: WebSearchRequest) => Promise<readonly WebResult[]>

/** A service that searches the web. */
export interface WebSearch {
  /** The name of its provider, such as `searxng`. */
  readonly name: string
  readonly search: SearchFunction
}

/** Conditions for the pages to find. A service may ignore some conditions, so callers filter the results again. */
export interface SearchScope {
  /** Each domain includes its subdomains. */
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  /** First and last day of publication, in ISO 8601. */
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
  /** An http or https URL, different for each result. */
  readonly url: string
  /** Never empty. Default: the host. */
  readonly title: string
  /** Plain text; may be empty. */
  readonly snippet: string
  /** Day of publication, such as `2026-11-21`; absent if unknown. */
  readonly date?: string
}

/** Settings of a provider. */
export interface WebSearchOptions {
  /** Default: the provider's own. SearXNG has none. */
  readonly baseUrl?: string
  readonly key?: string
  /** Maximum milliseconds of a request; default 20,000. */
  readonly timeoutMs?: number
  /** Minimum milliseconds to wait before the first retry, doubled for each further retry; default 500. */
  readonly retryDelayMs?: number
}
