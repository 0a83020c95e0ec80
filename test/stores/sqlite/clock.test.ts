import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/stores/sqlite/database.ts'

it('a statement knows the time by the clock of the process', () => {
  const db = openDatabase(':memory:')
  const before = Date.now()
  const [ms, iso] = db.prepare('SELECT ambit_now(), ambit_iso_now()').raw().get() as [number, string]
  db.close()
  expect(ms).toBeGreaterThanOrEqual(before)
  expect(ms).toBeLessThanOrEqual(Date.now())
  expect(Date.parse(iso)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(iso)).toBeLessThanOrEqual(Date.now())
})
