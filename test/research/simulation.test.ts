/**
 * Simulated runs, each the same again by its seed.
 *
 * @module-tag long
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'simulation', 'simulate.ts')

const SEEDS = 250

interface Told {
  readonly seed: number
  readonly broken: readonly string[]
  readonly weather?: string
  readonly status?: string
  readonly trace?: string
  readonly mishaps?: Readonly<Record<string, number>>
}

/** In a process of its own, whose clock is simulated. */
async function simulated(from: number, count: number): Promise<Told[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(from), String(count)], {
    maxBuffer: 2 ** 26,
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('whole runs of research, on simulated time', () => {
  it(`keep what is promised, whatever befalls them: ${SEEDS} seeds`, { tags: 'long' }, async () => {
    const told = await simulated(1, SEEDS)
    // To see one again: node test/research/simulation/simulate.ts SEED
    expect(told.filter(({ broken }) => broken.length > 0)).toEqual([])
    expect(told.map(({ seed }) => seed)).toEqual(Array.from({ length: SEEDS }, (_, at) => at + 1))
    const befell = new Set(told.flatMap(({ mishaps = {} }) => Object.keys(mishaps)))
    const all = ['ends', 'frozen', 'killed', 'no room', 'pause', 'start', 'stop', 'store away']
    expect([...befell].sort()).toEqual(all)
    expect(new Set(told.map(({ weather }) => weather))).toEqual(new Set(['disturbed', 'faulty', 'stopped']))
    expect(new Set(told.map(({ status }) => status))).toContain('stopped')
  })

  it.each([
    [6992514168, 'stopped between its report and its end, it wrote another one'],
    [6992512949, 'what was used up stood in the report in the order of the clock'],
    [2611226170, 'interrupted as its report was kept, it named that stage elsewhere'],
  ])('keep it with seed %i, too, where once %s', async (seed) => {
    expect(await simulated(seed, 1)).toMatchObject([{ seed, broken: [] }])
  })

  it('are the same again by their seed, on whatever machine, and alone', async () => {
    const many = await simulated(40, 6)
    const [alone] = await simulated(43, 1)
    expect(alone).toEqual(many[3])
    expect(alone?.trace).toMatch(/^[0-9a-f]{64}$/)
  })
})
