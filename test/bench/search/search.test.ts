import { describe, expect, it } from 'vitest'
import { percentile } from '../../../bench/search/measure.ts'
import { type Figures, medianFigures } from '../../../bench/search/order.ts'
import { growthOf, verdictsOf } from '../../../bench/search/search.bench.ts'

describe('a measurement', () => {
  it.each([
    [[1, 2, 3, 4], 0.5, 2],
    [[4, 3, 2, 1], 0.95, 4],
    [[7], 0.5, 7],
    [[], 0.5, 0],
  ])('takes from %j at %f the value %f', (values, share, value) => {
    expect(percentile(values, share)).toBe(value)
  })
})

const LATENCY = { p50: 0.5, p95: 1, first: 2, empty: 0, found: 1 }

function figures(time: number, documents = 10_000): Figures {
  return {
    built: { documents, time, size: 10e6, peak: 200e6 },
    asked: { words: LATENCY, sentence: LATENCY, peak: 90e6 },
  }
}

describe('the figures', () => {
  it('of several runs are their medians', () => {
    expect(medianFigures([figures(1), figures(9), figures(2)])).toEqual(figures(2))
  })

  it('grow by an exponent', () => {
    expect(growthOf(figures(100, 1000), figures(1000, 10_000)).build).toBeCloseTo(1)
    expect(growthOf(figures(100, 1000), figures(100, 10_000)).build).toBeCloseTo(0)
  })

  it('are held to absolute limits only at the size that these are for', () => {
    const updated = { unchanged: 50, changed: 100, walk: 10, overWalk: 5 }
    const count = (documents: number) => {
      const measured = { ...figures(3000, documents), updated }
      const baseline = { ...figures(1500, documents), updated }
      return verdictsOf('Ambit', { figures: measured, textBytes: 40e6 }, baseline).length
    }
    expect(count(10_000)).toBeGreaterThan(count(100_000))
  })

  it('miss a limit that they do not meet', () => {
    const missed = (time: number) =>
      verdictsOf('Ambit', { figures: figures(time), textBytes: 40e6 }, figures(1500))
        .filter(({ held, figure }) => !held && figure.includes('index'))
        .map(({ figure }) => figure)
    expect(missed(3000)).toEqual([])
    expect(missed(9000)).toEqual(['search: Ambit, index, over FTS5'])
  })
})
