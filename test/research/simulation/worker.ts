/** A process of the product, as far as research goes: its store, its queue, its research. It may be killed, frozen, or end. */

import { NoSpace, StoreTrouble } from '../../../src/core/errors.ts'
import { extractText } from '../../../src/ingest/extract/text.ts'
import { Research } from '../../../src/research/research.ts'
import { type JobStore, Jobs, type Task } from '../../../src/stores/jobs.ts'
import type { RunStore, StoredRecord } from '../../../src/stores/run-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { through } from '../../support/through.ts'
import { type Clock, type Stoppable, within } from './clock.ts'
import { simulatedModel, simulatedPlaces, simulatedWeb } from './outside.ts'
import type { World } from './world.ts'

/** What befalls a process as it asks the store for something: before it is done, or after. */
export type Befalls = 'killed' | 'frozen' | 'ends' | 'store away' | 'no room'
export interface Mishap {
  readonly what: Befalls
  readonly isAfter: boolean
}

/** What all processes of a simulation share. */
export interface Shared {
  readonly clock: Clock
  readonly random: () => number
  readonly world: World
  readonly store: Store
  readonly failing: number
  /** Asked at each call of a worker to the store. */
  mishap(call: string): Mishap | undefined
  /** Whether the store has room for what is written. */
  hasRoom(): boolean
  /** Hears of what is added to a log. */
  added(records: readonly StoredRecord[]): void
  /** Hears of what a model is asked. */
  asks(stage: string, question: string, by: Process): void
  /** A worker that ended, or was killed: another takes its place. */
  gone(worker: Process): void
}

const WRITES = ['append', 'keep', 'update', 'addFile']

export class Process implements Stoppable {
  isDead = false
  frozenUntil = 0
  wasFrozen = false
  readonly research: Research
  readonly #shared: Shared
  readonly #jobs: Jobs
  readonly #runs: RunStore
  readonly #isWorker: boolean

  /** @param isWorker whether mishaps befall it; the process of a person is spared. */
  constructor(shared: Shared, isWorker = true) {
    this.#shared = shared
    this.#isWorker = isWorker
    this.#runs = this.#gated(shared.store.of('').runs)
    this.#jobs = new Jobs(this.#jobStore(shared.store.jobs), false)
    const { clock, random, world, failing } = shared
    const outside = {
      world,
      clock,
      random,
      failing,
      gate: () => this.#gate(),
      asks: (stage: string, question: string) => shared.asks(stage, question, this),
    }
    this.research = new Research({
      store: this.#runs,
      jobs: async () => this.#jobs,
      owner: '',
      places: simulatedPlaces(outside),
      web: async () => simulatedWeb(outside),
      extract: async (path, bytes) => extractText(path, bytes),
      language: async () => simulatedModel(outside),
      hasCollections: async () => true,
      defaults: {},
      print: () => Promise.reject(new Error('Nothing is printed here.')),
      uiDebug: false,
    })
  }

  #jobStore(jobs: JobStore): JobStore {
    const open = async () => {
      await this.#gate()
      return jobs.open()
    }
    return { ...jobs, open }
  }

  /** Does what there is to do, as `ambit serve --role worker`. */
  work(): void {
    const handler = ({ key, signal }: Task) => this.research.work(key, signal)
    within(this, () =>
      this.#jobs.work({ research: { maximum: 2, handler }, index: { maximum: 1, handler: async () => {} } }),
    )
  }

  /** Does something as this process. */
  does<Value>(work: (research: Research) => Promise<Value>): Promise<Value> {
    return within(this, () => work(this.research))
  }

  /** Hands over what it does. */
  async end(): Promise<void> {
    await this.#jobs.close()
    await this.research.close()
    this.isDead = true
  }

  /** Never lets go on whoever is dead, and those who are frozen later. */
  async #gate(): Promise<void> {
    while (this.isDead || this.frozenUntil > this.#shared.clock.now) {
      if (this.isDead) await new Promise(() => {})
      await this.#shared.clock.sleep(this.frozenUntil - this.#shared.clock.now)
    }
  }

  #gated(store: RunStore): RunStore {
    return through(store, (name, call, given) => (name === 'watch' ? call() : this.#called(name, given, call)))
  }

  async #called(name: string, given: readonly unknown[], call: () => unknown): Promise<unknown> {
    await this.#gate()
    const mishap = this.#isWorker ? this.#shared.mishap(name) : undefined
    if (mishap && !mishap.isAfter) await this.#befallen(mishap)
    if (WRITES.includes(name) && !this.#shared.hasRoom()) throw new NoSpace('The disk is full.')
    const result = await call()
    if (name === 'append') this.#shared.added(given[2] as readonly StoredRecord[])
    if (mishap?.isAfter) await this.#befallen(mishap)
    await this.#gate()
    return result
  }

  async #befallen({ what }: Mishap): Promise<void> {
    const { clock, random } = this.#shared
    if (what === 'store away') throw new StoreTrouble('unavailable', 'The connection was lost.', { hint: 'Ask again.' })
    if (what === 'killed') {
      this.isDead = true
      this.#shared.gone(this)
    } else if (what === 'frozen') {
      this.wasFrozen = true
      this.frozenUntil = clock.now + Math.round(random() * 60_000)
    } else if (what === 'ends') {
      this.#shared.gone(this)
      void within(this, () => this.end())
    }
    await this.#gate()
  }
}
