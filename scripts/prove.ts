/**
 * Tries with real processes to break what the product promises: `npm run prove [-- ci|quick|full] [PART…]`. An interrupted full
 * part is resumed. The last result of each part is in prove/results, and on the page of figures. Ends with 1 if a promise is
 * broken.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeFigures } from '../bench/report.ts'
import { PARTS } from './prove/parts.ts'
import { OUTCOMES, type Outcome, type Part, TIERS, type Trial } from './prove/proving.ts'

const USAGE = `npm run prove [-- ci|quick|full] [PART…] [--seed N] [--minutes N] [--fresh] [--shared]
  --seed     repeat the run with this seed
  --minutes  duration of parts that run for a time
  --fresh    restart interrupted parts
  --shared   for a busy machine: ignore times and keep no result, as with ci
Parts: ${PARTS.map(({ name }) => name).join(', ')}`

const PART_PROCESS = fileURLToPath(new URL('prove/children/part.ts', import.meta.url))

/** Number of parts that run at once. A part mostly waits for a process that it kills. */
const AT_ONCE = 2

/** Caches the compiled code of the programs, which then start in a third of the time. */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/prove/compiled', import.meta.url))

const FLAGS = { fresh: { type: 'boolean' }, shared: { type: 'boolean' } } as const

interface ProveOptions extends Trial {
  readonly parts: readonly Part[]
}

function parseOptions(argv: string[]): ProveOptions {
  const options = { seed: { type: 'string' }, minutes: { type: 'string' }, ...FLAGS } as const
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
  const [first = ''] = positionals
  const tier = TIERS.find((one) => one === first)
  const names = tier ? positionals.slice(1) : positionals
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.`)
  const chosen = PARTS.filter(({ name, tiers = TIERS }) =>
    names.length > 0 ? names.includes(name) : tiers.includes(tier ?? 'quick'),
  )
  return {
    tier: tier ?? 'quick',
    parts: chosen,
    seed: number(values.seed, 'seed'),
    minutes: number(values.minutes, 'minutes'),
    fresh: values.fresh === true,
    // A result of another build says nothing about this commit.
    isShared: values.shared === true || tier === 'ci' || process.env.AMBIT_TEST_BIN !== undefined,
  }
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new Error(`--${name} is "${text}", and must be a number.`)
}

/** Runs the long parts beside the others, and afterwards the parts that measure times, one at a time. */
async function run({ parts, ...trial }: ProveOptions): Promise<void> {
  const began = performance.now()
  const partsByOutcome: Record<Outcome, string[]> = { held: [], lost: [], untried: [] }
  const runOne = async (part: Part) => {
    partsByOutcome[await outcomeOf(part, trial)].push(part.name)
    if (!trial.isShared) writeFigures()
  }
  const kindOf = ({ isMeasured, isLong }: Part) => (isMeasured ? 'measured' : isLong ? 'long' : 'others')
  const { measured = [], long = [], others = [] } = Object.groupBy(parts, kindOf)
  await Promise.all([eachOf(long, long.length, runOne), eachOf(others, AT_ONCE, runOne)])
  await eachOf(measured, 1, runOne)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const { held, lost, untried } = partsByOutcome
  const summary = [
    lost.length === 0 ? 'Nothing is lost.' : `LOST in ${lost.join(', ')}.`,
    ...(untried.length === 0 ? [] : [`Not tried here: ${untried.join(', ')}.`]),
  ]
  console.log(`${held.length + lost.length} parts, ${trial.tier}, in ${minutes} minutes. ${summary.join(' ')}`)
  process.exitCode = lost.length === 0 ? 0 : 1
}

/** Runs a part in its own process group, which ends with this process, so that no process outlives the part. */
async function outcomeOf(part: Part, trial: Trial): Promise<Outcome> {
  const child = spawn(process.execPath, [...process.execArgv, PART_PROCESS, part.name, JSON.stringify(trial)], {
    stdio: 'inherit',
    detached: true,
  })
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid)
  }
  process.once('exit', end)
  const [code] = await once(child, 'exit')
  process.off('exit', end)
  const names = Object.keys(OUTCOMES) as Outcome[]
  return names.find((name) => OUTCOMES[name] === code) ?? 'lost'
}

async function eachOf(parts: readonly Part[], most: number, work: (part: Part) => Promise<void>): Promise<void> {
  const queue = [...parts]
  const runQueue = async () => {
    for (let part = queue.shift(); part; part = queue.shift()) await work(part)
  }
  await Promise.all(Array.from({ length: most }, runQueue))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 2
}
