/** One part of the proof, in a process of its own: its name, and how it is tried. The exit code says what came of it. */

import { flushCompileCache } from 'node:module'
import { PARTS } from '../parts.ts'
import { type Figures, OUTCOMES, type Outcome, type Part, type Progress, Proving, type Trial } from '../proving.ts'
import { forget, keep, leave, leftOf } from '../results.ts'

const [name, told = '{}'] = process.argv.slice(2)
const part = PARTS.find((one) => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)
process.exitCode = OUTCOMES[await proved(part, JSON.parse(told) as Trial)]

/** Tries it. What it loses is told as it comes. */
async function proved(part: Part, { tier, seed, minutes, fresh, isShared }: Trial): Promise<Outcome> {
  const lacking = part.lacks?.()
  if (lacking !== undefined) {
    console.log(`– ${part.name}: not tried here: ${lacking}`)
    return 'untried'
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
    // A killed program does not write its compile cache. This process writes it, so that the next programs start faster.
    flushCompileCache()
  }
  process.once('SIGTERM', () => {
    const next = tier === 'full' ? '; the same command goes on from there' : ''
    console.log(`✗ ${part.name}: stopped after ${JSON.stringify(progress.done)}${next}`)
    process.exit(OUTCOMES.lost)
  })
  const proving = new Proving({ tier, progress, minutes, isShared, kept })
  await part.prove(proving).catch((error: unknown) => {
    proving.lose(`It broke off: ${error instanceof Error ? error.stack : error}`)
  })
  progress.seconds = (performance.now() - clock.began) / 1000
  progress.figures.lost ??= 0
  if (!isShared) keep(part, tier, progress)
  forget(part.name, tier)
  const isHeld = progress.lost.length === 0
  console.log(
    `${isHeld ? '✓' : '✗'} ${part.name}: ${line(progress.figures)} (seed ${progress.seed}, ${Math.round(progress.seconds)} s)`,
  )
  for (const sentence of progress.lost) console.log(`    lost: ${sentence}`)
  return isHeld ? 'held' : 'lost'
}

function line(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => (typeof value === 'number' ? `${value.toLocaleString('en')} ${name}` : `${name} ${value}`))
    .join(', ')
}
