import { expect, it } from 'vitest'
import { setNewest } from '../../src/core/set-newest.ts'

it('a map with a limit drops what was set longest ago, and what is set again is the newest', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    setNewest(map, key, value, 2)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
