import { throwIfAborted } from './errors.ts'
import type { Renderer, Selection } from './flow.ts'

/** Work in slices of a few milliseconds, with a pause after each but the last. */
export type Steps<Value> = Generator<void, Value, void>

/** Runs all steps synchronously. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * Runs the steps, and yields to the event loop between them.
 *
 * @throws ContextError `cancelled` when the signal fires.
 */
export async function inTurns<Value>(steps: Steps<Value>, signal?: AbortSignal): Promise<Value> {
  let step = steps.next()
  try {
    for (; !step.done; step = steps.next()) await yieldToEvents(signal)
    return step.value
  } finally {
    // An interrupted generator closes its resources.
    if (!step.done) (steps as Iterator<void>).return?.()
  }
}

/**
 * Yields to the event loop.
 *
 * @throws ContextError `cancelled` when the signal has fired, by then or meanwhile.
 */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  await new Promise((resume) => setImmediate(resume))
  throwIfAborted(signal)
}

/** A renderer by the parts of its text, none of which parts a character. */
export function inParts(parts: (selection: Selection) => readonly string[]): Renderer {
  return Object.assign((selection: Selection) => parts(selection).join(''), { parts })
}

/** Loads something when it is first needed, and keeps it as long as its settings are the same. What failed is tried again. */
export function once<Value>(
  load: () => Promise<Value>,
  settings: () => unknown = () => undefined,
): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  let inForce = settings()
  return () => {
    if (settings() !== inForce) loaded = undefined
    inForce = settings()
    if (loaded) return loaded
    const loading = load()
    loaded = loading
    loading.catch(() => {
      if (loaded === loading) loaded = undefined
    })
    return loading
  }
}

interface Underway<Value> {
  readonly done: Promise<Value>
  readonly stop: AbortController
  waiting: number
}

/** Runs equal work once for several callers at the same time; results are not kept. It stops when no caller waits. */
export class SharedWork<Value> {
  readonly #underway = new Map<string, Underway<Value>>()

  /** @throws ContextError `cancelled`; as the work does. */
  async do(key: string, work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    throwIfAborted(signal)
    const underway = this.#underway.get(key) ?? this.#begin(key, work)
    underway.waiting++
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([underway.done, left])
    } catch (error) {
      throwIfAborted(signal)
      throw error
    } finally {
      signal?.removeEventListener('abort', leave)
      if (--underway.waiting === 0) this.#end(key, underway)
    }
  }

  /** Later callers do not share work that has begun. */
  forget(): void {
    this.#underway.clear()
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Underway<Value> {
    const stop = new AbortController()
    const underway: Underway<Value> = { done: work(stop.signal), stop, waiting: 0 }
    this.#underway.set(key, underway)
    const over = () => this.#underway.get(key) === underway && this.#underway.delete(key)
    underway.done.then(over, over)
    return underway
  }

  #end(key: string, underway: Underway<Value>): void {
    if (this.#underway.get(key) === underway) this.#underway.delete(key)
    underway.stop.abort()
  }
}

/** Milliseconds of the longest timer, 24 days: a longer one of Node ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * A time until which something is to be done. Unlike `AbortSignal.timeout` it takes nothing when that was done before: a server
 * that answers a thousand requests a second would have as many timers for each second of their time.
 */
export class Deadline implements Disposable {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout

  /** `ms`: milliseconds from now; the longest is `LONGEST_TIMER`. Keeps no process from ending. */
  constructor(ms: number) {
    const over = () => this.#ending.abort(new DOMException('The time is over.', 'TimeoutError'))
    this.#timer = setTimeout(over, Math.min(ms, LONGEST_TIMER)).unref()
  }

  /** Fires when the time is over. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Fires then, or where one of the others does. */
  or(...others: readonly (AbortSignal | undefined)[]): AbortSignal {
    const signals = others.filter((other) => other !== undefined)
    return signals.length === 0 ? this.signal : AbortSignal.any([this.signal, ...signals])
  }

  get isOver(): boolean {
    return this.signal.aborted
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

/** Items in sequence; a function of the signal where fetching them can be stopped, too. */
type Items<Item> = Iterable<Item> | AsyncIterable<Item> | ((signal: AbortSignal) => AsyncIterable<Item>)

/**
 * Does some work for each item, several at a time; the results are in the order of the items. The first failure fires the signal
 * that all of them have, and is thrown when nothing is under way any more.
 */
export async function mapParallel<Item, Made>(
  items: Items<Item>,
  { wide, signal: outer }: { readonly wide: number; readonly signal?: AbortSignal | undefined },
  work: (item: Item, signal: AbortSignal) => Promise<Made>,
): Promise<Made[]> {
  const stop = new AbortController()
  const signal = outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal])
  const source = typeof items === 'function' ? items(signal) : items
  const steps = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const made: Made[] = []
  let next = 0
  const worker = async () => {
    for (let step = await steps.next(); !step.done; step = await steps.next()) {
      if (stop.signal.aborted) return
      const at = next++
      made[at] = await work(step.value, signal)
    }
  }
  const workers = Array.from({ length: wide }, worker)
  try {
    await Promise.all(workers)
    return made
  } finally {
    stop.abort()
    await Promise.allSettled(workers)
    await steps.return?.()
  }
}
