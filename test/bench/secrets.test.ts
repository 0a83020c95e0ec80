import { describe, expect, it } from 'vitest'
import { corpusOf, intervalOf } from '../../bench/secrets.bench.ts'
import { findSecret } from '../../src/text/secrets.ts'

describe('Secrets that are made from shapes', () => {
  it.each(['tuned', 'held-out'] as const)('are found, and nothing else: %s', (half) => {
    const corpus = corpusOf(half, 2)
    const planted = corpus.filter(({ isSecret }) => isSecret)
    const wrong = corpus.filter(({ isSecret, text }) => !isSecret && findSecret(text))
    expect(planted.filter(({ text }) => findSecret(text)).length / planted.length).toBeGreaterThanOrEqual(0.95)
    expect(wrong).toEqual([])
  })

  it.each([
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [0, 0, 0, 1],
  ])('a share of %d in %d has an interval', (part, whole, low, high) => {
    const [least, most] = intervalOf(part, whole)
    expect([least, most]).toEqual([expect.closeTo(low, 3), expect.closeTo(high, 3)])
  })
})
