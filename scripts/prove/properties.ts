import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Tried } from '../../test/support/fast-check.ts'
import type { Part, Proving } from './proving.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** Tests whose properties start processes or servers, need a browser, or have conversations: their tests try them often enough. */
const APART = /^test\/(agent\/assistant|web|stories|package|reliability|stores|surfaces|transfer|bench)\//

/** Files that are tried together: what was done is kept after each of these. */
const EACH = 25

export const properties: Part = {
  name: 'properties',
  claim: 'what holds for any input holds for all that are made up: the properties of the tests, tried very often',
  async prove(proving) {
    const files = globSync('test/**/*.test.ts', { cwd: ROOT })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !APART.test(file) && readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'"))
      .sort()
    const runs = proving.of({ ci: 1000, quick: 20_000, full: 200_000 })
    const most = proving.of({ ci: 300, quick: 1000, full: 20_000 })
    await proving.rounds('batches', Math.ceil(files.length / EACH), async (_, index) => {
      await batch(files.slice(index * EACH, (index + 1) * EACH), { runs, most }, proving)
    })
    if (proving.counted('properties') < 25) proving.lose(`Only ${proving.counted('properties')} properties were tried`)
  },
}

async function batch(files: readonly string[], how: object, proving: Proving): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'ambit-properties-'))
  const record = join(place, 'tried')
  try {
    const env = { AMBIT_TEST_PROPERTIES: JSON.stringify({ ...how, record, seed: proving.seed }) }
    const tests = await tested(files, place, env)
    const tried = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Tried => JSON.parse(line))
    // Ordinary tests of these files run at every change. Here their time limits would fail on a busy machine.
    const failed = new Set(tried.flatMap((one) => (one.failed ? [one.title.replaceAll(' > ', ' ')] : [])))
    for (const { fullName, failureMessages = [] } of tests) {
      if (failed.delete(fullName)) proving.lose(`${fullName}: ${failureMessages.join(' ')}`)
    }
    for (const title of failed) proving.lose(`${title}: it failed, and its test is not told`)
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

/** A test and what came of it. */
interface Tested {
  readonly fullName: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
  readonly failureMessages?: readonly string[]
}

/** Runs files of tests as they are. */
async function tested(files: readonly string[], place: string, env: NodeJS.ProcessEnv): Promise<readonly Tested[]> {
  // Where CI is set, the tests write the report that is counted there.
  const { CI: _, ...own } = process.env
  const report = join(place, 'report.json')
  const args = ['run', '--project', 'unit', '--reporter=json', `--outputFile=${report}`]
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [program, ...args, ...files], {
    cwd: ROOT,
    env: { ...own, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.flatMap(({ assertionResults }: { assertionResults: Tested[] }) => assertionResults)
}
