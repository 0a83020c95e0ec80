import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FusedHit } from '../../../src/collections/search/fusion.ts'
import { reorderByScore } from '../../../src/collections/search/reranking.ts'
import type { Document } from '../../../src/stores/document-store.ts'

/** Hits as a search gives them, named by their places: `0` is the best. */
function hits(count: number): FusedHit[] {
  return Array.from({ length: count }, (_, id) => ({ document: { id } as Document, score: 1 / (id + 1) }))
}

const order = (found: readonly FusedHit[]) => found.map(({ document }) => document.id)

describe('hits that were judged', () => {
  it.each<[string, number, number[], number[], number[]]>([
    ['scores of 0 to 1 are kept', 3, [0.1, 0.9, 0.5], [1, 2, 0], [0.9, 0.5, 0.1]],
    ['the ends belong to them', 2, [0, 1], [1, 0], [1, 0]],
    ['what stays behind scores a part of the least', 4, [0.2, 0.8], [1, 0, 2, 3], [0.8, 0.2, 0.2 / 3, 0.2 / 4]],
    ['the same score keeps the order', 3, [0.5, 0.5, 0.5], [0, 1, 2], [0.5, 0.5, 0.5]],
    ['none changes nothing', 2, [], [0, 1], [1, 0.5]],
    ['numbers of any size come between 0 and 1', 3, [-800, 0, 800], [2, 1, 0], [1, 0.5, 0]],
  ])('%s', (_, count, scores, expected, shares) => {
    const found = reorderByScore(hits(count), scores)
    expect(order(found)).toEqual(expected)
    for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(shares[index] ?? -1, 12)
  })

  it('keep apart what is so large that it would be the same', () => {
    expect(order(reorderByScore(hits(3), [50, 90, 70]))).toEqual([1, 2, 0])
  })

  it('tell their place and what the model gave', () => {
    expect(reorderByScore(hits(3), [-1, 3]).map(({ rerank }) => rerank)).toEqual([
      { rank: 1, score: 3 },
      { rank: 2, score: -1 },
      undefined,
    ])
  })

  it('are the same hits, with scores from 0 to 1 that fall', () => {
    const score = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(score, { maxLength: 30 }), fc.nat(10), (scores, more) => {
        const before = hits(scores.length + more)
        const after = reorderByScore(before, scores)
        expect([...order(after)].sort((a, b) => a - b)).toEqual(order(before))
        expect(order(after.slice(scores.length))).toEqual(order(before.slice(scores.length)))
        for (const [index, { score }] of after.entries()) {
          expect(score >= 0 && score <= (after[index - 1]?.score ?? 1)).toBe(true)
        }
      }),
    )
  })
})
