/** How a server is reached, and what is believed of it. */
export interface ServerSettings {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly trustReadOnly?: boolean
  readonly readOnly?: readonly string[]
  /** A file that others may read and that holds what may be secret: the server is not connected with. */
  readonly openFile?: string
}

/** What tests set otherwise. Milliseconds. */
export interface Patience {
  /** To connect, and to list the tools. Default: 20 seconds. */
  readonly connectMs: number
  /** To see whether a server knows the newer protocol. Default: 5 seconds. */
  readonly probeMs: number
}

export const PATIENCE: Patience = { connectMs: 20_000, probeMs: 5000 }
