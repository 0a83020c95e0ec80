/** Whole runs of research, on time that is simulated, with faults of all kinds: each follows from its seed. */

import { createHash } from 'node:crypto'
import { randomOf } from '../../../bench/random.ts'
import { ContextError } from '../../../src/core/errors.ts'
import type { LogRecord } from '../../../src/research/events.ts'
import { readRunState, recordsOf } from '../../../src/research/run/journal.ts'
import type { RunState } from '../../../src/research/run/state.ts'
import type { StoredRecord } from '../../../src/stores/run-store.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { Clock, outside, withClock } from './clock.ts'
import { brokenBy, type Ended } from './promises.ts'
import { type Befalls, type Mishap, Process, type Shared } from './worker.ts'
import { worldOf } from './world.ts'

/** What a run goes through. `disturbed` comes to the same report as `calm`; `faulty` and `stopped` to one of their own. */
type Weather = 'calm' | 'disturbed' | 'faulty' | 'stopped'

/** What came of one seed. */
export interface Simulated {
  readonly seed: number
  readonly weather: Weather
  /** Sentences: promises that did not hold. */
  readonly broken: readonly string[]
  readonly events: number
  readonly mishaps: Readonly<Record<string, number>>
  /** Milliseconds of simulated time. */
  readonly ms: number
  readonly status: string
  /** Of all that is in the log, with its times: equal where the same happened again. */
  readonly trace: string
}

/** Simulated hours after which a run that has not ended never will. */
const LONGEST_MS = 2 * 3_600_000

/** Runs one seed; and, where its report should be the same, the run that nobody disturbed. */
export async function simulated(seed: number): Promise<Simulated> {
  const weather = weatherOf(seed)
  const run = await ran(seed, weather)
  const broken = brokenBy(run.ended)
  if (weather === 'disturbed') {
    const calm = await ran(seed, 'calm')
    broken.push(...brokenBy(calm.ended), ...unlike(run.ended, calm.ended))
  }
  return { ...run, seed, weather, broken }
}

function weatherOf(seed: number): Weather {
  const at = randomOf(seed * 5 + 3)()
  return at < 0.5 ? 'disturbed' : at < 0.85 ? 'faulty' : 'stopped'
}

/** Entries that say when a run was interrupted, and no more. */
const BREAKS = ['run_resumed', 'run_paused', 'run_failed']

function unlike(run: Ended, calm: Ended): string[] {
  // It was given up, which a run is that was interrupted at one place again and again.
  if (run.state.status === 'quarantined') return []
  // How far the minutes of a run reach depends on how long others let it wait.
  if (run.state.exhausted.has('ms') || calm.state.exhausted.has('ms')) return []
  const told = ({ records }: Ended) =>
    records
      .filter(({ type }) => !BREAKS.includes(type))
      .map(({ key, payload }) => `${key} ${JSON.stringify(payload)}`)
      .sort()
  const [one, other] = [told(run), told(calm)]
  const more = one.filter((line) => !other.includes(line))
  const less = other.filter((line) => !one.includes(line))
  return [
    ...(run.report === calm.report ? [] : ['The report is not that of the undisturbed run.']),
    ...(more.length + less.length === 0
      ? []
      : [`Events are otherwise: ${more.slice(0, 3)} and not ${less.slice(0, 3)}`]),
  ]
}

type Ran = Omit<Simulated, 'seed' | 'weather' | 'broken'> & { readonly ended: Ended }

async function ran(seed: number, weather: Weather): Promise<Ran> {
  const random = randomOf(seed * 3 + (weather === 'calm' ? 2 : 1))
  const clock = new Clock(random)
  const { now: began } = clock
  using _ = withClock(clock, random)
  const stage = new Stage(seed, weather, { clock, random })
  const ended = await stage.played()
  const { mishaps } = stage
  const { status } = ended.state
  const trace = createHash('sha256').update(traceOf(ended.records)).digest('hex')
  return { ended, mishaps, status, ms: clock.now - began, events: ended.records.length, trace }
}

/** Without the ids of sessions and files, which are of no seed. */
function traceOf(records: readonly LogRecord[]): string {
  return JSON.stringify(records.map(({ seq, at, key, payload, made }) => [seq, at, key, payload, Object.keys(made)]))
}

const BEFALLS: readonly Befalls[] = ['killed', 'killed', 'frozen', 'ends', 'store away', 'no room']

/** Mishaps are over after so many calls to the store. */
const LAST_CALL = 500

class Stage {
  id = ''
  readonly mishaps: Record<string, number> = {}
  readonly #seed: number
  readonly #weather: Weather
  readonly #clock: Clock
  readonly #random: () => number
  readonly #store = openSqlite(':memory:', { lease: { lastsMs: 12_000, renewedMs: 3_000 } })
  readonly #shared: Shared
  readonly #broken: string[] = []
  readonly #plan = new Map<number, Mishap>()
  readonly #kept = new Set<string>()
  readonly #processes: Process[] = []
  /** By their questions. */
  readonly #nodes = new Map<string, Set<string>>()
  #calls = 0
  #fullUntil = 0
  #isOver = false

  constructor(seed: number, weather: Weather, { clock, random }: Pick<Shared, 'clock' | 'random'>) {
    this.#seed = seed
    this.#weather = weather
    this.#clock = clock
    this.#random = random
    this.#shared = {
      clock,
      random,
      world: worldOf(seed),
      store: this.#store,
      failing: weather === 'faulty' || weather === 'stopped' ? random() * 30 : 0,
      mishap: (call) => this.#mishap(call),
      hasRoom: () => clock.now >= this.#fullUntil,
      added: (records) => this.#noted(records),
      asks: (stage, question, by) => {
        const [node, ...others] = this.#nodes.get(question) ?? []
        // Who was frozen does not know yet what others did meanwhile.
        const name = `${node}/${stage}`
        if (by.wasFrozen || others.length > 0 || !this.#kept.has(name)) return
        this.#broken.push(`${name} is kept, and is asked for again.`)
      },
      gone: () => void outside(() => this.#replaced()),
    }
    this.#named('1', this.#shared.world.question)
    if (weather !== 'calm') this.#planned()
  }

  #planned(): void {
    const many = Math.floor(this.#random() * 12)
    for (let at = 0; at < many; at++) {
      const what = BEFALLS[Math.floor(this.#random() * BEFALLS.length)] ?? 'killed'
      // Many come early, when a run is short.
      const call = Math.floor(this.#random() ** 2 * LAST_CALL)
      this.#plan.set(call, { what, isAfter: this.#random() < 0.5 })
    }
  }

  #noted(records: readonly StoredRecord[]): void {
    for (const { data } of records) {
      const { made, told } = JSON.parse(data)
      for (const name of Object.keys(made)) this.#kept.add(name)
      for (const { id, question } of Array.isArray(told.children) ? told.children : []) this.#named(id, question)
    }
  }

  #named(id: string, question: string): void {
    this.#nodes.set(question, (this.#nodes.get(question) ?? new Set()).add(id))
  }

  #mishap(call: string): Mishap | undefined {
    const planned = this.#plan.get(this.#calls++)
    if (!planned) return undefined
    this.mishaps[planned.what] = (this.mishaps[planned.what] ?? 0) + 1
    if (planned.what === 'no room') {
      this.#fullUntil = this.#clock.now + Math.round(this.#random() * 60_000)
      return undefined
    }
    // Only what may have been written when the answer was lost may be done again.
    return planned.what === 'store away' && call !== 'append' ? { ...planned, isAfter: false } : planned
  }

  async #replaced(): Promise<void> {
    await this.#clock.sleep(this.#random() * 5_000)
    if (!this.#isOver) await this.#process().work()
  }

  #process(isWorker = true): Process {
    const made = new Process(this.#shared, isWorker)
    this.#processes.push(made)
    return made
  }

  async played(): Promise<Ended> {
    const person = this.#process(false)
    const playing = this.#played(person)
    let isDone = false
    const done = playing.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    const until = this.#clock.now + LONGEST_MS
    while (!isDone) {
      const isGoing = await this.#clock.step()
      if (isDone) break
      if (!isGoing) throw new Error('Nobody does anything any more, and it has not ended.')
      if (this.#clock.now > until) throw new Error(`It does not end: ${JSON.stringify(await this.#soFar())}`)
    }
    const ended = await done
    // A change in the next simulation would wake those that live on.
    for (const process of this.#processes) process.isDead = true
    await this.#store.close()
    return ended
  }

  async #played(person: Process): Promise<Ended> {
    const { question, request, files } = this.#shared.world
    const { session_id: id } = await person.does((research) => research.create({ question, ...request }))
    this.id = id
    for (const [name, text] of Object.entries(files)) {
      const bytes = new TextEncoder().encode(text)
      await person.does((research) => research.addFile(id, { name, type: '', bytes }))
    }
    for (let workers = this.#weather === 'calm' ? 1 : 2; workers > 0; workers--) await this.#process().work()
    await this.#wanted(person, 'start')
    if (this.#weather !== 'calm') await this.#meddled(person)
    await this.#awaited(person)
    this.#isOver = true
    return this.#ended()
  }

  /** What a person does meanwhile. */
  async #meddled(person: Process): Promise<void> {
    for (let times = Math.floor(this.#random() * 3); times > 0; times--) {
      await this.#clock.sleep(this.#random() * 30_000)
      await this.#wanted(person, 'pause')
      await this.#clock.sleep(this.#random() * 10_000)
      await this.#wanted(person, 'start')
    }
    if (this.#weather !== 'stopped') return
    await this.#clock.sleep(this.#random() * 60_000)
    await this.#wanted(person, 'stop')
  }

  /** What a person wants of the run may be refused: it is over, runs already, or nobody answers now. */
  async #wanted(person: Process, what: 'start' | 'pause' | 'stop'): Promise<void> {
    try {
      await person.does((research) => research[what](this.id))
      this.mishaps[what] = (this.mishaps[what] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      if (!['conflict', 'unavailable', 'denied'].includes(error.code))
        this.#broken.push(`${what} says ${error.message}`)
    }
  }

  /** Looks now and then, and begins again what has ended and is not over. */
  async #awaited(person: Process): Promise<void> {
    for (;;) {
      const { sessions } = await person.does((research) => research.list(1))
      const { status = 'gone' } = sessions[0] ?? {}
      if (OVER.includes(status)) return
      if (['planned', 'paused', 'failed', 'created'].includes(status)) await this.#wanted(person, 'start')
      await this.#clock.sleep(5_000)
    }
  }

  async #soFar(): Promise<object> {
    const session = await this.#store.runs.get(this.id)
    const records = await Array.fromAsync(recordsOf(this.#store.runs, this.id, 0))
    return {
      ...session,
      settings: '',
      mishaps: this.mishaps,
      events: records.slice(-8).map(({ at, key, payload }) => [at, key, payload]),
    }
  }

  async #ended(): Promise<Ended> {
    const { runs } = this.#store
    const session = await runs.get(this.id)
    if (!session) throw new Error('The session is gone.')
    const records: LogRecord[] = await Array.fromAsync(recordsOf(runs, this.id, 0))
    const state: RunState = await readRunState(runs, session)
    const report = state.report?.markdown.replaceAll(this.id, 'ID')
    return { session, records, state, report, broken: this.#broken, isCalm: this.#weather === 'calm', seed: this.#seed }
  }
}

const OVER = ['completed', 'stopped', 'quarantined']
