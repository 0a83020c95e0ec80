import { describe, expect, it } from 'vitest'
import { packagePlace, placeText, registryPlace, registryText } from '../../src/quilt/place.ts'

describe('what is told of a place', () => {
  const lab = { collection: 'lab' }
  const bucket = { bucket: 'bucket' }
  const spec = { name: 'team/data', revision: { hash: '1a2b3c' } } as const

  it('can be given to a command again', () => {
    for (const registry of [lab, bucket]) {
      expect(packagePlace(placeText(registry, spec))).toEqual({ registry, spec })
      expect(registryPlace(registryText(registry))).toEqual({ registry, prefix: '' })
    }
  })
})
