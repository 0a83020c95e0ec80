import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasFallen, qualityOf, type Reached } from '../../../bench/quality/quality.ts'
import { ROOT } from '../../source-files.ts'

const REACHED: Reached = { search: { mean: 0.8, low: 0.7, high: 0.9 } }

describe('a figure', () => {
  it.each([
    ['is as it was', [0.8, 0.8], 'search', false],
    ['is lower by less than its noise', [0.5, 0.95], 'search', false],
    ['has fallen', [0.5, 0.8], 'search', true],
    ['was never reached', [0], 'other', false],
  ])('%s', (_, scores, name, expected) => {
    expect(hasFallen({ name, scores }, REACHED)).toBe(expected)
  })
})

it('What was reached is still reached: passages without a shared word, and routing', async () => {
  const reached: Reached = JSON.parse(readFileSync(join(ROOT, 'test/quality/reached.json'), 'utf8'))
  const figures = await qualityOf([])
  expect(figures.map(({ name }) => name).filter((name) => !(name in reached))).toEqual([])
  expect(figures.filter((figure) => hasFallen(figure, reached))).toEqual([])
})
