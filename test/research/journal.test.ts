import { describe, expect, it } from 'vitest'
import { recordsOf } from '../../src/research/run/journal.ts'
import type { RunStore, StoredRecord } from '../../src/stores/run-store.ts'
import { newSession } from './stub.ts'

/** A log of so many entries of about so many characters each, and what was read of it so far. */
async function logOf(count: number, size: number) {
  const { store, id } = await newSession()
  const records = Array.from({ length: count }, (_, at): StoredRecord => {
    const data = { type: 'page_read', key: `${at}`, told: { url: 'x'.repeat(size) }, made: {} }
    return { seq: at + 1, at: '2026-11-21T12:00:00.000Z', data: JSON.stringify(data) }
  })
  await store.append(id, 0, records)
  const read = { characters: 0, times: 0 }
  const noting: Pick<RunStore, 'records'> = {
    records: async (...given) => {
      const page = await store.records(...given)
      read.characters += page.reduce((sum, { data }) => sum + data.length, 0)
      read.times++
      return page
    },
  }
  return { entries: recordsOf({ ...store, ...noting }, id, 0), read }
}

describe('a log that is read entry by entry', () => {
  it.each([
    [5000, 10],
    [1500, 10_000],
    [60, 100_000],
  ])(
    'of %i entries of %i characters has them all in order, and never holds a megabyte more than was asked for',
    async (count, size) => {
      const { entries, read } = await logOf(count, size)
      let [taken, most] = [0, 0]
      const seqs: number[] = []
      for await (const { seq, at: _, payload: told, made, ...head } of entries) {
        most = Math.max(most, read.characters - taken)
        taken += JSON.stringify({ ...head, told, made }).length
        seqs.push(seq)
      }
      expect(seqs).toEqual(Array.from({ length: count }, (_, at) => at + 1))
      expect(taken).toBe(read.characters)
      expect(most).toBeLessThan(1_048_576)
    },
  )

  it('is asked for seldom where its entries are small', async () => {
    const { entries, read } = await logOf(5000, 10)
    for await (const _ of entries) expect(read.times).toBeLessThan(15)
  })
})
