/** A service that searches the web. */
export interface WebSearch {
  /** Of its provider: `searxng` and the like. */
  readonly name: string
  /**
   * The first results, the best first; none where nothing is found.
   *
   * @throws ContextError `denied` for a wrong key, `over-limit` where a plan is used up, `invalid-input` for a query that is
   * refused, `unavailable` when it does not answer rightly, after it was asked again; `cancelled`.
   */
  search(query: string, options: WebSearchRequest): Promise<readonly WebResult[]>
}

/** Pages to find. A service may ignore a part of it: callers filter the results again. */
export interface SearchScope {
  /** With all domains below them. */
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
  /** Of http or https, each once. */
  readonly url: string
  /** Never empty: the host where nothing better is known. */
  readonly title: string
  /** Plain text, perhaps empty. */
  readonly snippet: string
  /** `2026-11-21`; absent where the day is unknown. */
  readonly date?: string
}

/** How a provider is reached. */
export interface WebSearchOptions {
  /** Default: where its provider is. SearXNG has no such place. */
  readonly baseUrl?: string
  readonly key?: string
  /** Milliseconds for each request; 20,000. */
  readonly timeMs?: number
  /** Milliseconds before a request is repeated, at least; doubled each time. 500. */
  readonly pauseMs?: number
}
