/**
 * Proves with real processes what the product promises. `npm run prove [-- ci|quick|full] [PART…]`. A full part that was
 * interrupted is gone on with; the last result of each part is kept in prove/results, and shown on the page of figures. Exit
 * code 1 when anything is lost.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeFigures } from '../bench/report.ts'
import { PARTS } from './prove/parts.ts'
import { OUTCOMES, type Outcome, type Part, TIERS, type Trial } from './prove/proving.ts'

const USAGE = `npm run prove [-- ci|quick|full] [PART…] [--seed N] [--minutes N] [--fresh] [--shared]
  --seed     do again what this seed did
  --minutes  how long a part takes that has a time and no count
  --fresh    begin anew what was interrupted
  --shared   on a machine that does other things, too: times decide nothing, and no result is kept, as with ci
Parts: ${PARTS.map(({ name }) => name).join(', ')}`

const ONE = fileURLToPath(new URL('prove/children/part.ts', import.meta.url))

/** Parts at once: a part mostly waits for one process that it kills. */
const AT_ONCE = 2

/** The compiled code of the programs: to start one that is killed takes a third of the time. */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/prove/compiled', import.meta.url))

const FLAGS = { fresh: { type: 'boolean' }, shared: { type: 'boolean' } } as const

interface Asked extends Trial {
  readonly parts: readonly Part[]
}

function asked(argv: string[]): Asked {
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
    // The result of another build is none of this commit.
    isShared: values.shared === true || tier === 'ci' || process.env.AMBIT_TEST_BIN !== undefined,
  }
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new Error(`--${name} is "${text}", and must be a number.`)
}

/** Those that go on for hours beside all others; those that measure times have the machine for themselves, afterwards. */
async function run({ parts, ...trial }: Asked): Promise<void> {
  const began = performance.now()
  const came: Record<Outcome, string[]> = { held: [], lost: [], untried: [] }
  const one = async (part: Part) => {
    came[await outcomeOf(part, trial)].push(part.name)
    if (!trial.isShared) writeFigures()
  }
  const kindOf = ({ isMeasured, isLong }: Part) => (isMeasured ? 'measured' : isLong ? 'long' : 'others')
  const { measured = [], long = [], others = [] } = Object.groupBy(parts, kindOf)
  await Promise.all([eachOf(long, long.length, one), eachOf(others, AT_ONCE, one)])
  await eachOf(measured, 1, one)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const { held, lost, untried } = came
  const told = [
    lost.length === 0 ? 'Nothing is lost.' : `LOST in ${lost.join(', ')}.`,
    ...(untried.length === 0 ? [] : [`Not tried here: ${untried.join(', ')}.`]),
  ]
  console.log(`${held.length + lost.length} parts, ${trial.tier}, in ${minutes} minutes. ${told.join(' ')}`)
  process.exitCode = lost.length === 0 ? 0 : 1
}

/** Starts the part in its own process group, and ends the group with this process: nothing of it runs on beside the next part. */
async function outcomeOf(part: Part, trial: Trial): Promise<Outcome> {
  const child = spawn(process.execPath, [...process.execArgv, ONE, part.name, JSON.stringify(trial)], {
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
  const left = [...parts]
  const hand = async () => {
    for (let part = left.shift(); part; part = left.shift()) await work(part)
  }
  await Promise.all(Array.from({ length: most }, hand))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  await run(asked(process.argv.slice(2)))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 2
}
