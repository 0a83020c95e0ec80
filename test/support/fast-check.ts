/**
 * Stands for fast-check in all tests. The seed of a property follows from its title. The quick tier tries it less often than it
 * asks for. The proof tries each as often as it wants, within the time that it gives to each, and what was tried is noted.
 */

import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'

type FastCheck = typeof import('fast-check')

/** A property that was tried, as a line of the file that the proof reads. */
export interface Tried {
  /** The test, with those around it. */
  readonly title: string
  readonly runs: number
  readonly seed: number
  readonly failed: boolean
}

/** How properties are tried, from the environment. */
interface Trying {
  readonly record: string
  readonly seed: number
  readonly runs: number
  /** Milliseconds after which a property has been tried enough. */
  readonly most: number
}

/** Runs of a property in the quick tier, where no more is asked for by the proof. */
const MOST_QUICK_RUNS = 75

const { AMBIT_TEST_PROPERTIES: proof, TEST_TIER: tier } = process.env
const trying: Partial<Trying> = proof === undefined ? {} : JSON.parse(proof)
const real: FastCheck = createRequire(import.meta.url)('fast-check')

const assert = ((property: never, parameters: object = {}) => {
  const { currentTestName: title = '' } = expect.getState()
  const seed = [...title].reduce((hash, one) => Math.imul(hash, 31) + (one.codePointAt(0) ?? 0), trying.seed ?? 0)
  const own = 'numRuns' in parameters ? Number(parameters.numRuns) : 100
  const how = {
    seed,
    ...parameters,
    numRuns: trying.runs ? Math.max(trying.runs, own) : tier === 'long' ? own : Math.min(MOST_QUICK_RUNS, own),
    ...(trying.most !== undefined && { interruptAfterTimeLimit: trying.most }),
  }
  const told = real.check(property, how) as unknown as Promise<Details> | Details
  return told instanceof Promise ? told.then((details) => noted(title, details)) : noted(title, told)
}) as unknown as FastCheck['assert']

type Details = Parameters<FastCheck['defaultReportMessage']>[0]

function noted(title: string, details: Details): void {
  const { numRuns: runs, seed } = details
  // Where the machine was so busy that the time was over before the first, nothing was found.
  const failed = details.failed && !(details.interrupted && details.counterexample === null)
  const tried: Tried = { title, runs, seed, failed }
  if (trying.record) appendFileSync(trying.record, `${JSON.stringify(tried)}\n`)
  if (failed) throw new Error(real.defaultReportMessage(details))
}

// The one default of the tests: they import it as they import what it stands for.
// biome-ignore lint/style/noDefaultExport: see above.
export default { ...real, assert }
