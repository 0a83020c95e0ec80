import type { ExtractLimits, Format } from '../extracted.ts'

/** What a worker is sent. It answers with an `Extraction`. */
export interface ExtractTask {
  readonly path: string
  readonly format: Format
  readonly bytes: Uint8Array
  readonly limits: ExtractLimits
  /** Of an HTML page: whether only the article on it is wanted. */
  readonly article?: boolean
}

/** The first message of a worker. */
export const READY = 'ready'
