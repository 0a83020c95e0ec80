import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../../bench/search/corpus.ts'

function files(count: number, seed?: number) {
  const corpus = corpusOf(seed)
  return Array.from({ length: count }, (_, index) => corpus.file(index))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('the corpus that is made up', () => {
  it('is the same for the same seed, byte for byte', () => {
    expect(files(20)).toEqual(files(20))
    expect(files(20)).not.toEqual(files(20, 1))
  })

  it('is the one that the figures are about: another one needs a new edition of the cache', () => {
    const text = files(5).map((file) => `${file.path}\n${file.text}`)
    expect(sha256(text.join('\n'))).toBe('68ca6a8faf916f967b1465a620d7a92c6f8c2c38a3f42945ea31af860fe8bbfd')
  })
})
