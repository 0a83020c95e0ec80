/** The program of the thread that compresses texts: it takes lists of texts, and gives them back in one piece of memory. */

import { parentPort } from 'node:worker_threads'
import { deflated } from '../stores/deflated.ts'

/** Compressed texts, one after the other. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each ends. */
  readonly ends: readonly number[]
}

parentPort?.on('message', (texts: readonly string[]) => {
  const all = texts.map(deflated)
  let end = 0
  const ends = all.map((one) => (end += one.length))
  const bytes = new Uint8Array(end)
  for (const [index, one] of all.entries()) bytes.set(one, (ends[index] ?? 0) - one.length)
  parentPort?.postMessage({ bytes, ends } satisfies Packed, [bytes.buffer])
})
