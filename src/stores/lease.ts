import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted } from '../core/errors.ts'

/** Milliseconds. */
export interface LeaseTimes {
  /** After so long without a sign of life another process takes over. */
  readonly lastsMs: number
  readonly renewedMs: number
}

const TIMES: LeaseTimes = { lastsMs: 30_000, renewedMs: 5_000 }
const POLL_MS = 50

/** How long a database that others use is waited for, though nobody waits for the lease. */
const BUSY_MS = 5_000

/** What a lease is for: by the command of those who take it, with the collection or the session. */
export type Work = `index ${string}` | 'merge' | 'embed' | `research ${string}` | `answer ${string}`

/** The work on a collection. Who removes or renames it takes this away: what is under way is that of another collection then. */
export function indexWork(collection: string): Work {
  return `index ${collection}`
}

/** A row of a lease that has not run out. */
export interface HeldLease {
  readonly name: string
  readonly holder: string
}

/** The collections that are indexed under one of these. */
export function beingIndexed(leases: readonly HeldLease[]): string[] {
  const begin = indexWork('')
  const held = leases.filter(({ name, holder }) => name.startsWith(begin) && isAlive(holder))
  return held.map(({ name }) => name.slice(begin.length))
}

/** An answer in a conversation, whose id has no blanks. */
export function answerWork(owner: string, conversation: string): Work {
  return `answer ${conversation} ${owner}`
}

/** Where this process gives an answer there itself, perhaps by a lease that ran out. */
export function beingAnswered(conversation: string): ContextError {
  const hint = 'Wait until it is there, or stop it.'
  return new ContextError('conflict', `This process is ${told(`answer ${conversation}`).doing}.`, { hint })
}

/** The right to do something: held by one process at a time, and lost by one that stops. Its row says who holds it. */
export abstract class Lease {
  protected readonly work: Work
  protected readonly times: LeaseTimes
  /** Of this process, while it holds it: what is in the row. */
  holder: string | undefined

  constructor(work: Work, times: LeaseTimes = TIMES) {
    this.work = work
    this.times = times
  }

  /** Puts the holder into the row where it is free. An error is for later: the database is in use. */
  protected abstract taken(holder: string): Promise<boolean | Error> | boolean | Error
  /** A sign of life. Where it fails, the next may come in time; else what is written next tells it. */
  protected abstract renew(holder: string): Promise<unknown>
  /** Where it fails, the lease runs out by itself. */
  protected abstract release(holder: string): Promise<unknown>
  /** Who is in the row. */
  protected abstract inRow(): Promise<string | undefined>

  /** Does something while this process alone holds it. @throws ContextError `conflict` when another keeps it; `cancelled`. */
  async held<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const id = randomUUID()
    const holder = JSON.stringify({ id, pid: process.pid, host: hostname() })
    holding.add(id)
    try {
      await this.#take(holder, waitMs, signal)
    } catch (error) {
      holding.delete(id)
      throw error
    }
    this.holder = holder
    let isRenewing = false
    // One at a time: they may wait for a write of their own, and would take all connections.
    const renewed = async () => {
      if (isRenewing) return
      isRenewing = true
      await unlessRefused(() => this.renew(holder))
      isRenewing = false
    }
    const renewal = setInterval(renewed, this.times.renewedMs)
    renewal.unref()
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      holding.delete(id)
      this.holder = undefined
      await unlessRefused(() => this.release(holder))
    }
  }

  /** For a write in which it turned out that it is held no more. `inRow`: who holds it, if anybody does. */
  protected lost(inRow: string | undefined): ContextError {
    const { doing, again, target } = told(this.work)
    const hint = `Run "ambit ${again}" again: what is missing is done then.`
    const over = target === undefined ? 'has ended' : `has ended, or ${target} was removed or renamed`
    const now = inRow === undefined ? over : `is ${doing}`
    return new ContextError('conflict', `Another process has taken over, and ${now}.`, { hint })
  }

  async #take(holder: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const [until, busyUntil] = [Date.now() + waitMs, Date.now() + BUSY_MS]
    for (;;) {
      const taken = await this.taken(holder)
      if (taken === true) return
      throwIfAborted(signal)
      if (Date.now() >= (taken ? Math.max(until, busyUntil) : until)) {
        if (taken) throw taken
        const hint = 'Wait until it is done, then run this again.'
        const who = whoIs(await this.inRow())
        throw new ContextError('conflict', `Another process is ${told(this.work).doing} (${who}).`, { hint })
      }
      await sleep(POLL_MS)
    }
  }
}

/** The name of what a holder does, of which each has its own. */
export function idOfHolder(holder: string): string {
  return JSON.parse(holder).id
}

/** What this process does, by the ids of its holders: one that could not give back its lease has ended all the same. */
const holding = new Set<string>()

/** Whether the process is there still; of one on another machine that is not known, and it may be. */
export function isAlive(holder: string): boolean {
  const { id, pid, host } = JSON.parse(holder)
  if (host !== hostname()) return true
  if (pid === process.pid) return holding.has(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
  }
}

/** What whoever has it does, and the command that does it. */
function told(work: Work): { readonly doing: string; readonly again: string; readonly target?: string } {
  const [what, ...of] = work.split(' ')
  const name = of.join(' ')
  if (what === 'index') return { doing: `indexing ${name}`, again: work, target: name }
  if (what === 'research') return { doing: `working at research session ${name}`, again: `research resume ${name}` }
  if (what === 'answer') return { doing: `giving an answer in conversation ${of[0]}`, again: `chat --resume ${of[0]}` }
  return what === 'merge'
    ? { doing: 'putting the index together', again: 'index' }
    : { doing: 'embedding', again: 'embed' }
}

function whoIs(holder: string | undefined): string {
  if (holder === undefined) return 'it has just ended'
  const { pid, host } = JSON.parse(holder)
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}
