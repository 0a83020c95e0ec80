/** Tries one part, in a process of its own. */

import { flushCompileCache } from 'node:module'
import { type Figures, type Part, type Progress, Proving, type Tier } from './proving.ts'
import { forget, keep, leave, leftOf } from './results.ts'

/** How a part is tried. */
export interface Trial {
  readonly tier: Tier
  readonly seed?: number | undefined
  /** Of what has a time instead of a count. */
  readonly minutes?: number | undefined
  /** Begins anew what was interrupted. */
  readonly fresh: boolean
  /** The machine does other things, too: times decide nothing, and no result is kept. */
  readonly isShared: boolean
}

/** What came of a part, and the exit code that says so. */
export const OUTCOMES = { held: 0, lost: 1, untried: 3 } as const
export type Outcome = keyof typeof OUTCOMES

/** Tries it. What it loses is told as it comes. */
export async function proved(part: Part, { tier, seed, minutes, fresh, isShared }: Trial): Promise<Outcome> {
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
