/** Time that passes when nothing else is left to do: hours of it take no longer than what is done in them. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import promised from 'node:timers/promises'

/** Something that stops when it is killed, and does nothing while it is frozen, as a process of the system does. */
export interface Stoppable {
  readonly isDead: boolean
  /** Milliseconds since 1970; 0 for what is not frozen. */
  readonly frozenUntil: number
}

interface Timer {
  at: number
  /** Which of those at the same time is the first. */
  readonly order: number
  readonly run: () => void
  readonly owner: Stoppable | undefined
}

const FIRST = Date.parse('2026-11-21T12:00:00.000Z')

/** Whose code it is that runs. */
const running = new AsyncLocalStorage<Stoppable>()

/** Does something as a process of the simulation: what it begins ends with it. */
export function within<Value>(owner: Stoppable, work: () => Value): Value {
  return running.run(owner, work)
}

/** Does something that is not a process's. */
export function outside<Value>(work: () => Value): Value {
  return running.exit(work)
}

export class Clock {
  now = FIRST
  readonly #timers = new Set<Timer>()
  readonly #random: () => number

  /** @param random decides what comes first of what is due at the same time. */
  constructor(random: () => number) {
    this.#random = random
  }

  after(ms: number, run: () => void): Timer {
    const at = this.now + Math.max(1, Math.round(Number.isFinite(ms) ? ms : 1))
    const timer: Timer = { at, order: this.#random(), run, owner: running.getStore() }
    this.#timers.add(timer)
    return timer
  }

  cancel(timer: Timer): void {
    this.#timers.delete(timer)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => {
      this.cancel(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = this.after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    return promise
  }

  /** Lets all that can go on go on, and then the time until the next timer pass. Gives whether there was one. */
  async step(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve))
    const next = this.#next()
    if (!next) return false
    this.#timers.delete(next)
    const { owner } = next
    if (owner?.isDead) return true
    if (owner && owner.frozenUntil > next.at) {
      next.at = owner.frozenUntil
      this.#timers.add(next)
      return true
    }
    this.now = Math.max(this.now, next.at)
    if (owner) within(owner, next.run)
    else next.run()
    return true
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    }
    return first
  }
}

/** What stands for a timer of Node. */
class Handle {
  timer: Timer | undefined
  ref = () => this
  unref = () => this
  hasRef = () => false
}

/** Puts a clock, and chance, in the place of the system's, until it is disposed: nothing of the product knows of it. */
export function withClock(clock: Clock, random: () => number): Disposable {
  const { Date: SystemDate, setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const own = { timeout: AbortSignal.timeout, sleep: promised.setTimeout, random: Math.random }
  class SimulatedDate extends SystemDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [clock.now] : given) as [number]))
    }
    static override now = () => clock.now
  }
  const cleared = (handle: unknown) => {
    if (!(handle instanceof Handle) || !handle.timer) return
    clock.cancel(handle.timer)
    handle.timer = undefined
  }
  const once = (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) => {
    const handle = new Handle()
    handle.timer = clock.after(ms, () => run(...given))
    return handle
  }
  const again = (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) => {
    const handle = new Handle()
    const due = () => {
      handle.timer = clock.after(ms, due)
      run(...given)
    }
    handle.timer = clock.after(ms, due)
    return handle
  }
  const timeout = (ms: number) => {
    const controller = new AbortController()
    clock.after(ms, () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')))
    return controller.signal
  }
  const sleep = async (ms?: number, value?: unknown, options: { signal?: AbortSignal } = {}) => {
    await clock.sleep(ms ?? 1, options.signal)
    return value
  }
  const functions = { setTimeout: once, clearTimeout: cleared, setInterval: again, clearInterval: cleared }
  Object.assign(globalThis, functions, { Date: SimulatedDate })
  Object.assign(AbortSignal, { timeout })
  Object.assign(promised, { setTimeout: sleep })
  Object.assign(Math, { random })
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]: () => {
      Object.assign(globalThis, { Date: SystemDate, setTimeout, clearTimeout, setInterval, clearInterval })
      Object.assign(AbortSignal, { timeout: own.timeout })
      Object.assign(promised, { setTimeout: own.sleep })
      Object.assign(Math, { random: own.random })
      syncBuiltinESMExports()
    },
  }
}
