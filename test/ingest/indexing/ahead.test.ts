import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ahead } from '../../../src/ingest/indexing/prefetch.ts'

const MANY = { wide: 4, bytes: 100 }

describe('files that are read ahead', () => {
  it('come in their order with what was read of them, never more at once than may be', async () => {
    const sizes = fc.array(fc.nat(60), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 5 }), async (given, wide) => {
        const files = given.map((size, at) => ({ size, at }))
        let [now, bytes] = [0, 0]
        const read = async ({ size, at }: { size: number; at: number }) => {
          now++
          bytes += size
          expect(now).toBeLessThanOrEqual(wide)
          expect(bytes <= 100 || now === 1).toBe(true)
          for (let turns = (at * 7) % 5; turns > 0; turns--) await Promise.resolve()
          return `read ${at}`
        }
        const seen: string[] = []
        for await (const [{ size }, text] of ahead(files, read, { wide, bytes: 100 })) {
          seen.push(text)
          now--
          bytes -= size
        }
        expect(seen).toEqual(files.map(({ at }) => `read ${at}`))
      }),
    )
  })

  it('are read one by one where that is asked for: no next one while one is used', async () => {
    const log: string[] = []
    const files = [{ size: 1 }, { size: 2 }]
    const read = async ({ size }: { size: number }) => log.push(`read ${size}`)
    for await (const [{ size }] of ahead(files, read, { wide: 1, bytes: 100 })) {
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
      for await (const [, size] of ahead([{ size: 5 }, { size: 3 }, { size: 20 }], read, MANY)) seen.push(size)
    }
    await expect(all()).rejects.toThrow('three')
    expect([seen, running]).toEqual([[5], 0])
  })

  it('leave nothing running when nobody wants more', async () => {
    let running = 0
    const read = async () => {
      running++
      await sleep(5)
      running--
    }
    for await (const _ of ahead([{ size: 1 }, { size: 1 }, { size: 1 }], read, MANY)) break
    expect(running).toBe(0)
  })
})
