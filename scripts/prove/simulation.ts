import { join } from 'node:path'
import { LineProcess } from '../../test/support/line-process.ts'
import type { Part, Proving } from './proving.ts'

/** Seeds of one process. */
const EACH = 100

const PROGRAM = join(import.meta.dirname, '../../test/research/simulation/simulate.ts')

export const simulation: Part = {
  name: 'simulation',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim:
    'whole runs of research on simulated time, in which models, searches, stores and processes fail at random, end as they should: events without a gap, each effect once, within their budgets, and where only processes and the store failed with the report of the undisturbed run',
  async prove(proving) {
    const count = Math.ceil(proving.of({ ci: EACH, quick: 1_000, full: 10_000 }) / EACH)
    await proving.rounds('processes', count, async (_, index) => {
      const from = (proving.seed % 1_000_000) * 10_000 + index * EACH
      const program = new LineProcess([process.execPath, PROGRAM, String(from), String(EACH)])
      const lines = await program.ended()
      for (const line of lines) counted(line, proving)
      proving.same('simulations of a process', lines.length, EACH)
    })
  },
}

function counted(line: string, proving: Proving): void {
  const { seed, broken, events = 0, ms = 0, mishaps = {} } = JSON.parse(line)
  proving.add('runs')
  proving.add('events', events)
  proving.add('simulated minutes', Math.round(ms / 60_000))
  for (const [what, times] of Object.entries(mishaps)) proving.add(`times ${AS[what] ?? what}`, Number(times))
  for (const sentence of broken) proving.lose(`${sentence} (node test/research/simulation/simulate.ts ${seed})`)
}

const AS: Readonly<Record<string, string>> = {
  killed: 'that a process was killed',
  frozen: 'that a process stood still',
  ends: 'that a process ended',
  'store away': 'that the store did not answer',
  'no room': 'that the disk was full',
  start: 'that a person started it',
  pause: 'that a person paused it',
  stop: 'that a person stopped it',
}
