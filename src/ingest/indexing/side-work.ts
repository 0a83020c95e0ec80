/** The program of the thread that counts the words of texts. */

import { parentPort } from 'node:worker_threads'
import { type IndexedDocument, SegmentBuilder } from '../../retrieval/segment.ts'

/** A message with documents of the current segment. The answer is the segment if `isLast`, else undefined. */
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
