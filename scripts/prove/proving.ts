/** The options of a part of the proof, and its counts. */

import { join } from 'node:path'
import { randomOf } from '../../bench/random.ts'
import { LineProcess } from '../../test/support/line-process.ts'

/** How much a run tries: as much as every change can afford (`ci`), for some minutes, or for hours. */
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
  /** The promise, as a clause. */
  readonly claim: string
  /** The part measures times, so no other part runs beside it. */
  readonly isMeasured?: true
  /** The part runs for hours and measures no times, so it runs beside all others. */
  readonly isLong?: true
  /** The tiers with this part. Default: all. */
  readonly tiers?: readonly Tier[]
  /** Why the part cannot run here; undefined if it can. */
  lacks?(): string | undefined
  prove(proving: Proving): Promise<void>
}

/** The options of a run. */
export interface Trial {
  readonly tier: Tier
  readonly seed?: number | undefined
  /** Minutes that parts without a number of rounds run. */
  readonly minutes?: number | undefined
  /** Whether to restart interrupted parts. */
  readonly fresh: boolean
  /** Whether the machine is busy: then times decide nothing, and no result is kept. */
  readonly isShared: boolean
}

/** The outcomes of a part, and their exit codes. */
export const OUTCOMES = { held: 0, lost: 1, untried: 3 } as const
export type Outcome = keyof typeof OUTCOMES

/** Counts and measurements, by name. */
export type Figures = Record<string, number | string>

/** The progress of a part, stored so that the part can be resumed. */
export interface Progress {
  readonly seed: number
  readonly figures: Figures
  /** A sentence for each broken promise. */
  readonly lost: string[]
  /** Rounds that are done, by the name of the loop. */
  readonly done: Record<string, number>
  /** Seconds that the part has run. */
  seconds: number
}

/** Maximum number of stored sentences about broken promises. Further ones are only counted. */
const MOST_LOST = 20

export interface ProvingOptions {
  readonly tier: Tier
  readonly progress: Progress
  /** Minutes that parts without a number of rounds run. Default: the part decides. */
  readonly minutes?: number | undefined
  readonly isShared?: boolean
  /** Called after each round. */
  readonly onRound: (progress: Progress) => void
}

export class Proving {
  readonly tier: Tier
  readonly #options: ProvingOptions

  constructor(options: ProvingOptions) {
    this.tier = options.tier
    this.#options = options
  }

  get seed(): number {
    return this.#options.progress.seed
  }

  /** Whether the machine is busy: then times decide nothing. */
  get isShared(): boolean {
    return this.#options.isShared === true
  }

  get minutes(): number | undefined {
    return this.#options.minutes
  }

  /** How often to do something in this tier. */
  amount({ quick, ci = Math.ceil(quick / 10), full }: Amount): number {
    return { ci, quick, full }[this.tier]
  }

  /** Random numbers from 0 up to 1. The seed and the name decide them. */
  random(name: string): () => number {
    return randomOf([...name].reduce((hash, one) => Math.imul(hash, 31) + (one.codePointAt(0) ?? 0), this.seed))
  }

  /** The current value of a count. */
  counted(name: string): number {
    return Number(this.#options.progress.figures[name] ?? 0)
  }

  add(name: string, count = 1): void {
    this.#options.progress.figures[name] = this.counted(name) + count
  }

  /** Keeps the largest value. */
  most(name: string, value: number): void {
    this.#options.progress.figures[name] = Math.max(this.counted(name), value)
  }

  /** Sets a measured value. */
  note(name: string, value: number | string): void {
    this.#options.progress.figures[name] = value
  }

  /** Records a broken promise. */
  lose(sentence: string): void {
    const { lost } = this.#options.progress
    if (lost.length < MOST_LOST) lost.push(sentence.slice(0, 2000))
    this.add('lost')
  }

  /** Records a broken promise if the JSON of the two values differs. Returns whether it is the same. */
  same(what: string, found: unknown, wanted: unknown): boolean {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (one === other) return true
    this.lose(`${what}: ${shorten(one)} and not ${shorten(other)}`)
    return false
  }

  /** Runs the rounds of one loop, each with its own random numbers. Skips rounds that an earlier run has done. */
  async rounds(name: string, count: number, round: (random: () => number, index: number) => Promise<void>) {
    const { progress, onRound } = this.#options
    for (let index = progress.done[name] ?? 0; index < count; index++) {
      await round(this.random(`${name} ${index}`), index)
      progress.done[name] = index + 1
      onRound(progress)
    }
  }
}

function shorten(text = 'nothing'): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** The value below which `percent` of 100 values are. Sorts the list in place. */
export function percentile(values: number[], percent: number): number {
  values.sort((one, other) => one - other)
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? 0
}

/** A program of children/, read by the lines that it prints. `under`: the words of a command that runs the program. */
export class Child extends LineProcess {
  constructor(
    program: string | { readonly name: string; readonly under: readonly string[] },
    ...options: readonly unknown[]
  ) {
    const { name, under } = typeof program === 'string' ? { name: program, under: [] } : program
    const script = join(import.meta.dirname, 'children', `${name}.ts`)
    super([...under, process.execPath, script, JSON.stringify(options)])
  }
}

/** Rounds to a tenth. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
