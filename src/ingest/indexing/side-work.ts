/** The program of the thread that counts the words of texts. */

import { parentPort } from 'node:worker_threads'
import { type IndexedDocument, SegmentBuilder } from '../../retrieval/segment.ts'

/** Documents of the current segment. The answer to the last message is the segment. */
export interface SegmenterMessage {
  readonly documents: readonly IndexedDocument[]
  readonly isLast: boolean
}

const builder = new SegmentBuilder()

parentPort?.on('message', ({ documents, isLast }: SegmenterMessage) => {
  for (const document of documents) builder.add(document)
  const segment = isLast ? builder.finish() : undefined
  parentPort?.postMessage(segment, segment ? [segment.postings.buffer] : [])
})
