import { expect, it } from 'vitest'
import { setNewest } from '../../src/core/set-newest.ts'

it('a map with a limit drops what was set longest ago, and what is set again is the newest', () => {
  const map = new Map<string, number>()
  for (const [at, key] of [...'abac'].entries()) setNewest(map, key, at, 2)
  expect([...map].flat()).toEqual(['a', 2, 'c', 3])
})
