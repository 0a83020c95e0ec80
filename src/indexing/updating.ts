/** What reads files and brings collections in step: apart from what searches, which needs none of it. */

import { Extractor } from '../extract/extractor.ts'
import { textThrough } from './extraction.ts'
import type { TextOf } from './text-of.ts'

export { update } from './update.ts'
export { Changes } from './watch.ts'

/** Does something with a reader of files, and ends what it needed. */
export async function reading<Value>(work: (textOf: TextOf) => Promise<Value>): Promise<Value> {
  const extractor = new Extractor()
  try {
    return await work(textThrough(extractor))
  } finally {
    await extractor.close()
  }
}
