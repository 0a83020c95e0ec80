/** How much one question may take. */
export interface AgentLimits {
  /** Requests to the model. Default: 20. */
  readonly steps: number
  /** Tokens of all requests and answers together. Default: 1,000,000. */
  readonly tokens: number
  /** Tokens of one request, by the estimate of four bytes each. Default: 150,000. */
  readonly promptTokens: number
  /** US dollars of all requests together, as far as prices are known. Default: no limit. */
  readonly cost: number
  /** Milliseconds. Default: 10 minutes. */
  readonly ms: number
  /** Calls of one step; those above are refused. Default: 16. */
  readonly calls: number
  /** Calls that are done at once. Default: 4. */
  readonly atOnce: number
  /** Milliseconds of one call. Default: one minute. */
  readonly callMs: number
  /** Bytes of what one call gives. Default: 48,000. */
  readonly resultBytes: number
}

export const AGENT_LIMITS: AgentLimits = {
  steps: 20,
  tokens: 1_000_000,
  promptTokens: 150_000,
  cost: Number.POSITIVE_INFINITY,
  ms: 600_000,
  calls: 16,
  atOnce: 4,
  callMs: 60_000,
  resultBytes: 48_000,
}

/** The message before the last step. */
export const LAST_STEP =
  '<notice>\nNo more tools can be called for this question. Answer with what you have found, and say what you could not look up.\n</notice>\n'
