/**
 * Proves with real processes what the product promises. `npm run prove [-- ci|quick|full] [PART…]`. A full part that was
 * interrupted is gone on with; the last result of each part is kept in prove/results, and shown in docs/guides/proof.md. Exit
 * code 1 when anything is lost.
 */

import { parseArgs } from 'node:util'
import { writePaper } from './prove/paper.ts'
import { PARTS } from './prove/parts.ts'
import { type Figures, type Part, type Progress, Proving, TIERS, type Tier } from './prove/proving.ts'
import { forget, keep, leave, leftOf } from './prove/results.ts'

const USAGE = `npm run prove [-- ci|quick|full] [PART…] [--seed N] [--minutes N] [--fresh]
  --seed     do again what this seed did
  --minutes  how long a part takes that has a time and no count
  --fresh    begin anew what was interrupted
Parts: ${PARTS.map(({ name }) => name).join(', ')}`

interface Asked {
  readonly tier: Tier
  readonly parts: readonly Part[]
  readonly seed: number | undefined
  readonly minutes: number | undefined
  readonly fresh: boolean
}

function asked(argv: string[]): Asked {
  const options = { seed: { type: 'string' }, minutes: { type: 'string' }, fresh: { type: 'boolean' } } as const
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
  }
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new Error(`--${name} is "${text}", and must be a number.`)
}

/** Gives whether nothing is lost. */
async function proved(part: Part, { tier, seed, minutes, fresh }: Asked): Promise<boolean> {
  const lacking = part.lacks?.()
  if (lacking !== undefined) {
    console.log(`– ${part.name}: not tried here: ${lacking}`)
    return true
  }
  const left = fresh || tier !== 'full' ? undefined : leftOf(part.name, tier)
  const isSame = left && (seed === undefined || left.seed === seed)
  const begun: Progress = { seed: seed ?? Math.floor(Math.random() * 1e9), figures: {}, lost: [], done: {}, seconds: 0 }
  const progress = isSame ? left : begun
  if (isSame) console.log(`  ${part.name}: goes on after ${JSON.stringify(progress.done)}`)
  const clock = { began: performance.now() - progress.seconds * 1000 }
  const kept = (now: Progress) => {
    now.seconds = (performance.now() - clock.began) / 1000
    if (tier === 'full') leave(part.name, tier, now)
  }
  const proving = new Proving({ tier, progress, minutes, kept })
  await part.prove(proving).catch((error: unknown) => {
    proving.lose(`It broke off: ${error instanceof Error ? error.stack : error}`)
  })
  progress.seconds = (performance.now() - clock.began) / 1000
  progress.figures.lost ??= 0
  keep(part, tier, progress)
  if (tier !== 'ci') writePaper(PARTS)
  forget(part.name, tier)
  const isHeld = progress.lost.length === 0
  console.log(
    `${isHeld ? '✓' : '✗'} ${part.name}: ${line(progress.figures)} (seed ${progress.seed}, ${Math.round(progress.seconds)} s)`,
  )
  for (const sentence of progress.lost) console.log(`    lost: ${sentence}`)
  return isHeld
}

function line(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => (typeof value === 'number' ? `${value.toLocaleString('en')} ${name}` : `${name} ${value}`))
    .join(', ')
}

async function run(wanted: Asked): Promise<void> {
  const failed: string[] = []
  const began = performance.now()
  for (const part of wanted.parts) if (!(await proved(part, wanted))) failed.push(part.name)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const told = failed.length === 0 ? 'Nothing is lost.' : `LOST in ${failed.join(', ')}.`
  console.log(`${wanted.parts.length} parts, ${wanted.tier}, in ${minutes} minutes. ${told}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

try {
  await run(asked(process.argv.slice(2)))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 2
}
