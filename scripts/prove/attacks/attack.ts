/** One attempt on the built program (`BIN` of test/support/program.ts), with its own temporary directory and loopback only. */
export interface Attack {
  readonly name: string
  /** Resolves to what came out that must not, in one line; undefined where the promise holds. */
  hit(): Promise<string | undefined>
}
