import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runsAmongKills } from '../../test/stores/jobs/many-runs.ts'
import { undisturbed } from '../../test/stores/jobs/runs.ts'
import { Team } from '../../test/stores/jobs/team.ts'
import type { Tried } from '../../test/support/fast-check.ts'
import { LineProcess } from '../../test/support/line-process.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/**
 * Tests that start processes or servers, need a browser, or have conversations. They try their properties often enough
 * themselves.
 */
const EXCLUDED = /^test\/(agent\/assistant|web|stories|package|reliability|stores|surfaces|transfer|bench)\//

/** An import of a test with properties. */
const PROPERTIES = /from '(?:fast-check|[./]+\/support\/property\.ts)'/

/** Number of test files in a batch. The progress is stored after each batch. */
const EACH = 25

export const properties: Part = {
  name: 'properties',
  claim: 'what holds for any input holds for all that are made up: the properties of the tests, tried very often',
  // In the tier `ci`, the long tests try each property as often as it says.
  tiers: ['quick', 'full'],
  async prove(proving) {
    const files = globSync('test/**/*.test.ts', { cwd: ROOT })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !EXCLUDED.test(file) && PROPERTIES.test(readFileSync(join(ROOT, file), 'utf8')))
      .sort()
    const runs = proving.amount({ quick: 20_000, full: 200_000 })
    const most = proving.amount({ quick: 1000, full: 20_000 })
    await proving.rounds('batches', Math.ceil(files.length / EACH), async (_, index) => {
      await runBatch(files.slice(index * EACH, (index + 1) * EACH), { runs, most }, proving)
    })
    if (proving.counted('properties') < 25) proving.lose(`Only ${proving.counted('properties')} properties were tried`)
  },
}

async function runBatch(files: readonly string[], settings: object, proving: Proving): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'ambit-properties-'))
  const record = join(place, 'tried')
  try {
    const env = { AMBIT_TEST_PROPERTIES: JSON.stringify({ ...settings, record, seed: proving.seed }) }
    const tests = await runTests(files, place, env)
    const tried = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Tried => JSON.parse(line))
    // Ordinary tests of these files run at every change. Here their time limits would fail on a busy machine.
    const failed = new Set(tried.flatMap((one) => (one.failed ? [one.title.replaceAll(' > ', ' ')] : [])))
    for (const { fullName, failureMessages = [] } of tests) {
      if (failed.delete(fullName)) proving.lose(`${fullName}: ${failureMessages.join(' ')}`)
    }
    for (const title of failed) proving.lose(`${title}: it failed, but the report does not have its test`)
    proving.add('properties', tried.length)
    proving.add(
      'executions',
      tried.reduce((sum, { runs }) => sum + runs, 0),
    )
    for (const { title, runs } of tried) {
      proving.most('most of one', runs)
      if (process.env.CI === undefined) console.log(`  ${runs.toString().padStart(7)}  ${title}`)
    }
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** The result of a test. */
interface TestResult {
  readonly fullName: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
  readonly failureMessages?: readonly string[]
}

/** Runs test files. */
async function runTests(
  files: readonly string[],
  place: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly TestResult[]> {
  // With CI set, the tests would write the report of CI.
  const { CI: _, ...environment } = process.env
  const report = join(place, 'report.json')
  const args = ['run', '--project', 'unit', '--reporter=json', `--outputFile=${report}`]
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [program, ...args, ...files], {
    cwd: ROOT,
    env: { ...environment, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.flatMap(({ assertionResults }: { assertionResults: TestResult[] }) => assertionResults)
}

export const balanced: Part = {
  name: 'balanced',
  claim:
    'of two API processes and two workers behind a balancer any one is killed at any time during ten runs of research: all finish, each with the report of an undisturbed run, and who follows them misses nothing',
  // For each change, test/stores/jobs/many.test.ts tries it once.
  tiers: ['quick', 'full'],
  lacks: lacksPostgres,
  async prove(proving) {
    await using server = await OwnPostgres.start()
    const expected = await undisturbed()
    await proving.rounds('times', proving.amount({ ci: 1, quick: 3, full: 30 }), async (random) => {
      using files = tree({})
      const url = await server.database()
      await using team = await Team.of(2, 2, { cwd: files.base, database: url })
      const { problems, killed } = await runsAmongKills({ team, url, random, expected })
      for (const problem of problems) proving.lose(`${problem}; killed: ${killed}`)
      for (const one of killed) proving.add(one.startsWith('api') ? 'API processes killed' : 'workers killed')
      proving.add('runs', 10)
    })
  },
}

/** Number of seeds for each process. */
const SEEDS_EACH = 100

const PROGRAM = join(import.meta.dirname, '../../test/research/simulation/simulate.ts')

export const simulation: Part = {
  name: 'simulation',
  // For each change, the tests run some simulations.
  tiers: ['quick', 'full'],
  claim:
    'whole runs of research on simulated time, in which models, searches, stores and processes fail at random, end correctly: events without a gap, each effect once, within their budgets, and where only processes and the store failed with the report of the undisturbed run',
  async prove(proving) {
    const count = Math.ceil(proving.amount({ ci: SEEDS_EACH, quick: 1_000, full: 10_000 }) / SEEDS_EACH)
    await proving.rounds('processes', count, async (_, index) => {
      const from = (proving.seed % 1_000_000) * 10_000 + index * SEEDS_EACH
      const program = new LineProcess([process.execPath, PROGRAM, String(from), String(SEEDS_EACH)])
      const lines = await program.ended()
      for (const line of lines) countSimulation(line, proving)
      proving.same('simulations of a process', lines.length, SEEDS_EACH)
    })
  },
}

function countSimulation(line: string, proving: Proving): void {
  const { seed, broken, events = 0, ms = 0, mishaps = {} } = JSON.parse(line)
  proving.add('runs')
  proving.add('events', events)
  proving.add('simulated minutes', Math.round(ms / 60_000))
  for (const [what, times] of Object.entries(mishaps)) proving.add(`times ${MISHAP_NAMES[what] ?? what}`, Number(times))
  for (const sentence of broken) proving.lose(`${sentence} (node test/research/simulation/simulate.ts ${seed})`)
}

const MISHAP_NAMES: Readonly<Record<string, string>> = {
  killed: 'that a process was killed',
  frozen: 'that a process stood still',
  ends: 'that a process ended',
  'store away': 'that the store did not answer',
  'no room': 'that the disk was full',
  start: 'that a person started it',
  pause: 'that a person paused it',
  stop: 'that a person stopped it',
}
