/** What a part of the proof is told, and what it counts. */

import { join } from 'node:path'
import { randomOf } from '../../bench/random.ts'
import { LineProcess } from '../../test/support/line-process.ts'

/** How much is done: what every change pays for, some minutes, or hours. */
export const TIERS = ['ci', 'quick', 'full'] as const
export type Tier = (typeof TIERS)[number]

/** How often something is done, by tier. Default of `ci`: a tenth of `quick`. */
export interface Amount {
  readonly ci?: number
  readonly quick: number
  readonly full: number
}

/** One promise, and the program that tries to break it. */
export interface Part {
  readonly name: string
  /** What holds when nothing is lost, as a clause. */
  readonly claim: string
  /** It measures times: no other part is tried beside it. */
  readonly isMeasured?: true
  /** It goes on for hours, and measures no times: it begins with the first part, beside all others. */
  readonly isLong?: true
  /** Absent: in all of them. */
  readonly tiers?: readonly Tier[]
  /** Why it cannot be tried here; undefined where it can. */
  lacks?(): string | undefined
  prove(proving: Proving): Promise<void>
}

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

/** What was counted, by name: how much was tried, and what was measured of it. */
export type Figures = Record<string, number | string>

/** Where a part is: what is kept so that it can be gone on with. */
export interface Progress {
  readonly seed: number
  readonly figures: Figures
  readonly lost: string[]
  /** Rounds that are done, by the name of the loop. */
  readonly done: Record<string, number>
  /** Seconds that were spent on it. */
  seconds: number
}

/** Sentences that are told of what was lost; the rest is counted. */
const MOST_LOST = 20

export interface Given {
  readonly tier: Tier
  readonly progress: Progress
  /** Of what has a time instead of a count. Default: what the part says. */
  readonly minutes?: number | undefined
  readonly isShared?: boolean
  /** Hears of every round that is done. */
  readonly kept: (progress: Progress) => void
}

export class Proving {
  readonly tier: Tier
  readonly #given: Given

  constructor(given: Given) {
    this.tier = given.tier
    this.#given = given
  }

  get seed(): number {
    return this.#given.progress.seed
  }

  /** Whether the machine does other things, too: then no time decides anything. */
  get isShared(): boolean {
    return this.#given.isShared === true
  }

  get minutes(): number | undefined {
    return this.#given.minutes
  }

  of({ quick, ci = Math.ceil(quick / 10), full }: Amount): number {
    return { ci, quick, full }[this.tier]
  }

  /** Numbers from 0 up to 1 that the seed and the name decide. */
  random(name: string): () => number {
    return randomOf([...name].reduce((hash, one) => Math.imul(hash, 31) + (one.codePointAt(0) ?? 0), this.seed))
  }

  /** What was counted of this so far. */
  counted(name: string): number {
    return Number(this.#given.progress.figures[name] ?? 0)
  }

  add(name: string, count = 1): void {
    this.#given.progress.figures[name] = this.counted(name) + count
  }

  /** The largest of what it was told. */
  most(name: string, value: number): void {
    this.#given.progress.figures[name] = Math.max(this.counted(name), value)
  }

  /** What was measured, once. */
  note(name: string, value: number | string): void {
    this.#given.progress.figures[name] = value
  }

  /** A promise that did not hold. */
  lose(sentence: string): void {
    const { lost } = this.#given.progress
    if (lost.length < MOST_LOST) lost.push(sentence.slice(0, 2000))
    this.add('lost')
  }

  /** Holds when what was found is what was wanted, by JSON. */
  same(what: string, found: unknown, wanted: unknown): boolean {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (one === other) return true
    this.lose(`${what}: ${shortened(one)} and not ${shortened(other)}`)
    return false
  }

  /** Rounds of one loop, each by numbers of its own; those that an earlier run has done are left out. */
  async rounds(name: string, count: number, round: (random: () => number, index: number) => Promise<void>) {
    const { progress, kept } = this.#given
    for (let index = progress.done[name] ?? 0; index < count; index++) {
      await round(this.random(`${name} ${index}`), index)
      progress.done[name] = index + 1
      kept(progress)
    }
  }
}

function shortened(text = 'nothing'): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** The value below which so many of a hundred are. The list is sorted in its place. */
export function percentile(values: number[], percent: number): number {
  values.sort((one, other) => one - other)
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? 0
}

/** A program of children/, by what it says; `under`: the words of a command that runs it. */
export class Child extends LineProcess {
  constructor(
    program: string | { readonly name: string; readonly under: readonly string[] },
    ...given: readonly unknown[]
  ) {
    const { name, under } = typeof program === 'string' ? { name: program, under: [] } : program
    const script = join(import.meta.dirname, 'children', `${name}.ts`)
    super([...under, process.execPath, script, JSON.stringify(given)])
  }
}

/** To a tenth. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
