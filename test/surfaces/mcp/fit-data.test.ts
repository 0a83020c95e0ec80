import { describe, expect, it } from 'vitest'
import { fitData } from '../../../src/surfaces/mcp/fit-data.ts'
import { fc, forAll } from '../../support/property.ts'

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const many = (count: number, text = 'x') => Array.from({ length: count }, (_, at) => ({ path: `${text}/${at}` }))

describe('a structured answer under a limit', () => {
  it('is as it is where it fits', () => {
    const data = { documents: many(10) }
    expect(fitData(data, 16_000)).toBe(data)
  })

  it('has the first items of its lists, and tells how many are left out', () => {
    const { documents, cut, path } = fitData({ path: 'docs', documents: many(2000) }, 4000) as Record<string, never[]>
    expect(path).toBe('docs')
    expect(documents).toEqual(many(documents?.length ?? 0))
    expect(documents?.length).toBeGreaterThan(150)
    expect(cut).toEqual({ documents: 2000 - Number(documents?.length) })
  })

  it('has shorter texts rather than no items', () => {
    const nodes = Array.from({ length: 8 }, () => ({ reasoning: 'why '.repeat(2000), gaps: many(3) }))
    const fitted = fitData({ nodes }, 8000) as { nodes: typeof nodes; cut: object }
    expect(fitted.nodes.length).toBeGreaterThanOrEqual(5)
    expect(fitted.nodes[0]?.reasoning).toMatch(/^why why .*\[truncated\]$/)
    expect(fitted.cut).toHaveProperty('nodes.reasoning')
  })

  it('has five items with whole texts rather than more with shorter ones', () => {
    const nodes = many(8, 'x'.repeat(400))
    const fitted = { nodes: nodes.slice(0, 5), cut: { nodes: 3 } }
    expect(fitData({ nodes }, sizeOf(fitted))).toEqual(fitted)
  })

  it('fits, whatever it holds, and holds what it can', () => {
    const data = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 6, depthSize: 'large' }), {
      maxKeys: 8,
    })
    forAll(40, data, fc.integer({ min: 2000, max: 6000 }), fc.integer({ min: 0, max: 60 }), (one, most, times) => {
      const grown = { ...one, list: Array.from({ length: times }, () => one), text: 'é'.repeat(times * 100) }
      const fitted = fitData(grown, most)
      expect(sizeOf(fitted)).toBeLessThanOrEqual(Math.max(most, 0))
      expect('cut' in fitted).toBe('cut' in one || sizeOf(grown) > most)
    })
  })

  it('fits where a name is too long, or it is too deep', () => {
    const deep = Array.from({ length: 3000 }).reduce<object>((inner) => ({ a: inner }), {})
    for (const data of [{ ['k'.repeat(90_000)]: 1 }, { meta: { ['k'.repeat(90_000)]: 'v' } }, { deep }]) {
      expect(sizeOf(fitData(data, 2000))).toBeLessThanOrEqual(2000)
    }
    expect(fitData({ deep }, 2000)).toHaveProperty(`deep${'.a'.repeat(12)}`, {})
  })
})
