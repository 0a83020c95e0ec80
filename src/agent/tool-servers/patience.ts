/** What tests set otherwise. Milliseconds. */
export interface Patience {
  /** To connect, and to list the tools. Default: 20 seconds. */
  readonly connectMs: number
  /** To see whether a server knows the newer protocol. Default: 5 seconds. */
  readonly probeMs: number
}

export const PATIENCE: Patience = { connectMs: 20_000, probeMs: 5000 }
