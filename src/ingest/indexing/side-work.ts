/** The program of the threads beside the one that reads: one compresses texts, another counts their words. */

import { parentPort } from 'node:worker_threads'
import { type FlatSegment, flat, type Indexed, SegmentBuilder } from '../../retrieval/segment.ts'
import { deflateText } from '../../stores/deflated.ts'

/** Compressed texts, one after the other. */
export interface PackedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each ends. */
  readonly ends: readonly number[]
}

/** What a thread can be asked, each with its answer. */
export interface SideWork {
  pack(texts: readonly string[]): PackedTexts
  /** Adds documents to the segment at hand. */
  count(documents: readonly Indexed[]): void
  /** The segment of what was counted since the last one. */
  finish(): FlatSegment
}

export type WorkOrder = {
  readonly [Name in keyof SideWork]: readonly [Name, ...Parameters<SideWork[Name]>]
}[keyof SideWork]

const builder = new SegmentBuilder()

function pack(texts: readonly string[]): PackedTexts {
  const all = texts.map(deflateText)
  let end = 0
  const ends = all.map((one) => (end += one.length))
  const bytes = new Uint8Array(end)
  for (const [index, one] of all.entries()) bytes.set(one, (ends[index] ?? 0) - one.length)
  return { bytes, ends }
}

/** The answer, and the memory that goes with it. */
function runOrder(order: WorkOrder): readonly [answer: unknown, memory: ArrayBuffer[]] {
  if (order[0] === 'pack') {
    const packed = pack(order[1])
    return [packed, [packed.bytes.buffer]]
  }
  if (order[0] === 'finish') {
    const segment = flat(builder.finish())
    return [segment, [segment.postings.buffer]]
  }
  for (const document of order[1]) builder.add(document)
  return [undefined, []]
}

parentPort?.on('message', (order: WorkOrder) => parentPort?.postMessage(...runOrder(order)))
