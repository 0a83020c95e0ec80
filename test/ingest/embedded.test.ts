import { expect, it } from 'vitest'
import { nameVectors } from '../../src/ingest/embedded.ts'

it('names the vectors of a model by the edition of its chunks: another name computes all of them again', () => {
  expect(nameVectors({ fingerprint: 'model' })).toBe('model 1')
})
