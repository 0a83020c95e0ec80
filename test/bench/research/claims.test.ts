import { describe, expect, it } from 'vitest'
import { claimScores, labelledClaims } from '../../../bench/research/claims.ts'

describe('claims that a script made of documents, half of them true', () => {
  const claims = labelledClaims()
  const { precision, recall, byKind } = claimScores(claims)

  it('are four hundred and more, and as many are wrong as are true', () => {
    expect(claims.length).toBeGreaterThanOrEqual(400)
    const wrong = claims.filter(({ isTrue }) => !isTrue).length / claims.length
    expect(wrong).toBeGreaterThan(0.45)
    expect(wrong).toBeLessThan(0.6)
  })

  it('are marked where they are wrong, and left alone where they are not', () => {
    expect(precision).toBeGreaterThanOrEqual(0.95)
    expect(recall).toBeGreaterThanOrEqual(0.95)
  })

  it.each(['number', 'date', 'name', 'unit', 'source'])('are found wrong in a %s nearly always', (kind) => {
    const { right = 0, all = 1 } = byKind.get(kind) ?? {}
    expect(all).toBeGreaterThanOrEqual(40)
    expect(right / all).toBeGreaterThanOrEqual(0.95)
  })
})
