/** Runs one part of the proof. Arguments: the name of the part, and a `Trial` as JSON. The exit code says the outcome. */

import { flushCompileCache } from 'node:module'
import { PARTS } from '../parts.ts'
import { type Figures, OUTCOMES, type Outcome, type Part, type Progress, Proving, type Trial } from '../proving.ts'
import { readProgress, removeProgress, saveProgress, saveResult } from '../results.ts'

const [name, trial = '{}'] = process.argv.slice(2)
const part = PARTS.find((one) => one.name === name)
if (!part) throw new Error(`There is no part ${name}.`)
process.exitCode = OUTCOMES[await runPart(part, JSON.parse(trial) as Trial)]

/** Runs a part, and prints its result. */
async function runPart(part: Part, { tier, seed, minutes, fresh, isShared }: Trial): Promise<Outcome> {
  const lacking = part.lacks?.()
  if (lacking !== undefined) {
    console.log(`– ${part.name}: not tried here: ${lacking}`)
    return 'untried'
  }
  const storedProgress = fresh || tier !== 'full' ? undefined : readProgress(part.name, tier)
  const isSame = storedProgress && (seed === undefined || storedProgress.seed === seed)
  const newProgress: Progress = {
    seed: seed ?? Math.floor(Math.random() * 1e9),
    figures: {},
    lost: [],
    done: {},
    seconds: 0,
  }
  const progress = isSame ? storedProgress : newProgress
  if (isSame) console.log(`  ${part.name}: resumes after ${JSON.stringify(progress.done)}`)
  const clock = { began: performance.now() - progress.seconds * 1000 }
  const onRound = (now: Progress) => {
    now.seconds = (performance.now() - clock.began) / 1000
    if (tier === 'full') saveProgress(part.name, tier, now)
    // A killed program does not write its compile cache. This process writes it, so that the next programs start faster.
    flushCompileCache()
  }
  process.once('SIGTERM', () => {
    const next = tier === 'full' ? '; the same command resumes there' : ''
    console.log(`✗ ${part.name}: stopped after ${JSON.stringify(progress.done)}${next}`)
    process.exit(OUTCOMES.lost)
  })
  const proving = new Proving({ tier, progress, minutes, isShared, onRound })
  await part.prove(proving).catch((error: unknown) => {
    proving.lose(`It failed with an error: ${error instanceof Error ? error.stack : error}`)
  })
  progress.seconds = (performance.now() - clock.began) / 1000
  progress.figures.lost ??= 0
  if (!isShared) saveResult(part, tier, progress)
  removeProgress(part.name, tier)
  const isHeld = progress.lost.length === 0
  console.log(
    `${isHeld ? '✓' : '✗'} ${part.name}: ${figuresText(progress.figures)} (seed ${progress.seed}, ${Math.round(progress.seconds)} s)`,
  )
  for (const sentence of progress.lost) console.log(`    lost: ${sentence}`)
  return isHeld ? 'held' : 'lost'
}

function figuresText(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => (typeof value === 'number' ? `${value.toLocaleString('en')} ${name}` : `${name} ${value}`))
    .join(', ')
}
