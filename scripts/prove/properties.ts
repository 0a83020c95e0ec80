import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Tried } from '../../test/support/fast-check.ts'
import type { Part, Proving } from './proving.ts'
import { tested } from './vitest.ts'

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
    const tests = await tested(files, { env })
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
