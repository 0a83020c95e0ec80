import { describe, expect, it } from 'vitest'
import { Packer } from '../../../src/ingest/indexing/packer.ts'
import { inflateText } from '../../../src/stores/deflated.ts'

async function packed(texts: readonly string[]): Promise<string[]> {
  const packer = new Packer()
  const packing = texts.map((text) => packer.pack(text))
  packer.flush()
  const all = await Promise.all(packing)
  await packer.end()
  return all.map(inflateText)
}

describe('texts that are compressed', () => {
  it.each([
    ['few', ['', 'lion', '\u{1f600} ünïcode\u0000']],
    ['one that is long enough for a thread', ['lion '.repeat(400_000)]],
    ['many, and those of the thread in their order', Array.from({ length: 5000 }, (_, at) => `${at} lion `.repeat(80))],
    ['empty ones among many', ['lion '.repeat(300_000), '', 'x'.repeat(300_000), '']],
  ])('are what they were: %s', async (_, texts) => {
    expect(await packed(texts)).toEqual(texts)
  })

  it('are not waited for in vain when the thread is ended', async () => {
    const packer = new Packer()
    const packing = packer.pack('lion '.repeat(400_000))
    packer.flush()
    const ended = expect(packing).rejects.toThrow('ended')
    await packer.end()
    await ended
  })
})
