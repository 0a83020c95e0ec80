/** The functions that read files and update collections, in one module that searches need not load. */

import { availableParallelism } from 'node:os'
import { Extractor } from './extractor.ts'
import { type TextReader, textReaderOf } from './indexing/tree.ts'

export { ChangeWatcher as Changes } from './indexing/watch.ts'
export { update } from './update.ts'

/** Runs work with a reader of files, and closes the reader. */
export async function withExtractor<Value>(work: (reader: TextReader) => Promise<Value>): Promise<Value> {
  const extractor = new Extractor({ workers: Math.max(2, availableParallelism()) })
  try {
    return await work(textReaderOf(extractor))
  } finally {
    await extractor.close()
  }
}
