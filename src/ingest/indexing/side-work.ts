/** The program of the thread beside the one that reads: it counts the words of texts. */

import { parentPort } from 'node:worker_threads'
import { type Indexed, SegmentBuilder } from '../../retrieval/segment.ts'

/** Documents for the segment at hand, which is the answer behind the last of them. */
export interface WorkOrder {
  readonly documents: readonly Indexed[]
  readonly isLast: boolean
}

const builder = new SegmentBuilder()

parentPort?.on('message', ({ documents, isLast }: WorkOrder) => {
  for (const document of documents) builder.add(document)
  const segment = isLast ? builder.finish() : undefined
  parentPort?.postMessage(segment, segment ? [segment.postings.buffer] : [])
})
