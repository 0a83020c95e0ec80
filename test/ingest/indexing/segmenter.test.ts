import { describe, expect, it } from 'vitest'
import { Segmenter } from '../../../src/ingest/indexing/batch.ts'
import { type IndexedDocument, type NewSegment, SegmentBuilder } from '../../../src/retrieval/segment.ts'

const documentOf = (body: string, index: number): IndexedDocument => ({ title: `t${index}`, path: `${index}.md`, body })

function segmentOf(documents: readonly IndexedDocument[]): NewSegment {
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  return builder.finish()
}

const MANY = Array.from({ length: 5000 }, (_, at) => `${at} lion `.repeat(80))

describe('segments', () => {
  it.each([
    ['few documents', ['', 'lion', '\u{1f600} ünïcode\u0000']],
    ['one that is long enough for a thread', ['lion '.repeat(400_000)]],
    ['more than are sent at once, in their order', MANY],
    ['empty ones among long ones', ['lion '.repeat(300_000), '', 'x'.repeat(300_000), '']],
  ])('are what one thread would build: %s', async (_, bodies) => {
    const documents = bodies.map(documentOf)
    const segmenter = new Segmenter()
    for (const document of documents) await segmenter.add(document)
    expect(await segmenter.finish()).toEqual(segmentOf(documents))
    await segmenter.end()
  })

  it('begin anew after each, while the one before is still being built', async () => {
    const segmenter = new Segmenter()
    const [first, second] = [MANY.map(documentOf), ['tiger', 'lion'].map(documentOf)]
    for (const document of first) await segmenter.add(document)
    const one = segmenter.finish()
    for (const document of second) await segmenter.add(document)
    const other = segmenter.finish()
    expect(await other).toEqual(segmentOf(second))
    expect(await one).toEqual(segmentOf(first))
    await segmenter.end()
  })

  it('are not waited for in vain when the thread is ended, before or afterwards', async () => {
    const segmenter = new Segmenter()
    await segmenter.add(documentOf('lion '.repeat(400_000), 0))
    const ended = expect(segmenter.finish()).rejects.toThrow('ended')
    await segmenter.end()
    await ended
    await expect(segmenter.finish()).rejects.toThrow('ended')
  })
})
