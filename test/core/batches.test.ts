import { expect, it } from 'vitest'
import { batchesWithin } from '../../src/core/batches.ts'

it.each([
  ['none without values', [], [], {}],
  ['up to the size', [2, 2, 1, 5], [[2, 2, 1], [5]], {}],
  ['one more is the next', [2, 2, 2], [[2, 2], [2]], {}],
  ['a larger value alone', [1, 9, 1, 4, 1], [[1], [9], [1, 4], [1]], {}],
  ['up to the count', [1, 1, 1, 1, 1], [[1, 1], [1, 1], [1]], { count: 2 }],
  ['by any number of values of no size', [0, 0, 0, 5], [[0, 0, 0, 5]], {}],
])('batches: %s', (_, values, batches, count) => {
  expect([...batchesWithin(values, { size: 5, ...count, sizeOf: (value) => value })]).toEqual(batches)
})
