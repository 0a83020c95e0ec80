import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readAhead, slices } from '../../../src/ingest/indexing/prefetch.ts'
import { fc, forAllAsync } from '../../support/property.ts'

const MANY = { concurrency: 4, maxBytes: 100 }

/** Pages of two, with an empty one behind each. */
async function* paged<File>(files: readonly File[]): AsyncGenerator<readonly File[], void> {
  for (const some of slices(files, 2)) {
    yield some
    yield []
  }
}

describe('files that are read ahead', () => {
  it('come in their order with what was read of them, never more at once than may be', async () => {
    const sizes = fc.array(fc.nat(60), { maxLength: 20 })
    await forAllAsync(sizes, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
      const files = given.map((size, at) => ({ size, at }))
      let [now, bytes] = [0, 0]
      const read = async ({ size, at }: { size: number; at: number }) => {
        now++
        bytes += size
        expect(now).toBeLessThanOrEqual(concurrency)
        expect(bytes <= 100 || now === 1).toBe(true)
        for (let turns = (at * 7) % 5; turns > 0; turns--) await Promise.resolve()
        return `read ${at}`
      }
      const seen: string[] = []
      for await (const [{ size }, text] of readAhead(paged(files), read, { concurrency, maxBytes: 100 })) {
        seen.push(text)
        now--
        bytes -= size
      }
      expect(seen).toEqual(files.map(({ at }) => `read ${at}`))
    })
  })

  it('are read one by one where that is asked for: no next one while one is used', async () => {
    const log: string[] = []
    const files = [{ size: 1 }, { size: 2 }]
    const read = async ({ size }: { size: number }) => log.push(`read ${size}`)
    for await (const [{ size }] of readAhead(paged(files), read, { concurrency: 1, maxBytes: 100 })) {
      await sleep(1)
      log.push(`used ${size}`)
    }
    expect(log).toEqual(['read 1', 'used 1', 'read 2', 'used 2'])
  })

  it('end with what fails, in its turn, when the others have ended', async () => {
    let running = 0
    const read = async ({ size }: { size: number }) => {
      running++
      await sleep(size)
      running--
      if (size === 3) throw new Error('three')
      return size
    }
    const seen: number[] = []
    const all = async () => {
      for await (const [, size] of readAhead(paged([{ size: 5 }, { size: 3 }, { size: 20 }]), read, MANY))
        seen.push(size)
    }
    await expect(all()).rejects.toThrow('three')
    expect([seen, running]).toEqual([[5], 0])
  })

  it('are asked for a page ahead, and no more', async () => {
    const asked: number[] = []
    async function* pages() {
      for (const page of [1, 2, 3, 4]) {
        asked.push(page)
        yield [{ size: page }, { size: page }]
      }
    }
    const seen: number[] = []
    for await (const [{ size }] of readAhead(pages(), async () => {}, { concurrency: 1, maxBytes: 100 })) {
      seen.push(size)
      expect(asked.length).toBeLessThanOrEqual(Math.min(4, size + 1))
    }
    expect([seen, asked]).toEqual([
      [1, 1, 2, 2, 3, 3, 4, 4],
      [1, 2, 3, 4],
    ])
  })

  it('end with what the pages fail with, when those before it were given', async () => {
    async function* pages() {
      yield [{ size: 1 }, { size: 2 }]
      throw new Error('no list')
    }
    const seen: number[] = []
    const all = async () => {
      for await (const [{ size }] of readAhead(pages(), async () => {}, { concurrency: 1, maxBytes: 100 }))
        seen.push(size)
    }
    await expect(all()).rejects.toThrow('no list')
    expect(seen).toEqual([1, 2])
  })

  it('leave nothing running when nobody wants more', async () => {
    let running = 0
    const read = async () => {
      running++
      await sleep(5)
      running--
    }
    for await (const _ of readAhead(paged([{ size: 1 }, { size: 1 }, { size: 1 }]), read, MANY)) break
    expect(running).toBe(0)
  })
})
