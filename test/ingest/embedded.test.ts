import { expect, it } from 'vitest'
import { vectorsOf } from '../../src/ingest/embedded.ts'

it('names the vectors of a model by the edition of its chunks: another name computes all of them again', () => {
  expect(vectorsOf({ fingerprint: 'model' })).toBe('model 1')
})
