import { cancelledError, throwIfAborted } from './errors.ts'
import type { Renderer, Selection } from './flow.ts'

/** Work in slices of a few milliseconds: a generator that yields after each slice, and returns the result. */
export type Steps<Value> = Generator<void, Value, void>

/** Runs all steps synchronously. */
export function runSteps<Value>(steps: Steps<Value>): Value {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Runs the steps, and yields to the event loop between them. @throws ContextError `cancelled`. */
export async function runStepsAsync<Value>(steps: Steps<Value>, signal?: AbortSignal): Promise<Value> {
  let step = steps.next()
  try {
    for (; !step.done; step = steps.next()) await yieldToEvents(signal)
    return step.value
  } finally {
    // An interrupted generator closes its resources.
    if (!step.done) (steps as Iterator<void>).return?.()
  }
}

/** Yields to the event loop. @throws ContextError `cancelled`. */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  await new Promise((resume) => setImmediate(resume))
  throwIfAborted(signal)
}

/** Waits for work. @throws the error that `toError` makes if the signal fires first; default: `cancelled`. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal?: AbortSignal,
  toError: (signal: AbortSignal) => unknown = cancelledError,
): Promise<Value> {
  if (!signal) return await work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(toError(signal))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The result of the work; `late` if the work takes more than `ms` milliseconds. The work itself is not stopped. */
export async function withTimeout<Value, Late>(work: Promise<Value>, ms: number, late: Late): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(resolve, ms, late)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** Waits until `wake` is called, `ms` milliseconds pass, or the signal fires. `shareWake` gets `wake` at the start. */
export async function waitForWake(ms: number, signal: AbortSignal | undefined, shareWake: (wake: () => void) => void) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const timer = setTimeout(wake, ms)
  signal?.addEventListener('abort', wake, { once: true })
  shareWake(wake)
  if (signal?.aborted) wake()
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', wake)
}

/** Makes a renderer that joins the strings of `parts`. `parts` must not split a character. */
export function rendererOfParts(parts: (selection: Selection) => readonly string[]): Renderer {
  return Object.assign((selection: Selection) => parts(selection).join(''), { parts })
}

/** Returns a function that calls `load` at its first call, and again after `settings` changes or `load` fails. */
export function loadOnce<Value>(load: () => Promise<Value>, settings: () => unknown = () => undefined) {
  let loaded: Promise<Value> | undefined
  let loadedWith = settings()
  return () => {
    if (settings() !== loadedWith) loaded = undefined
    loadedWith = settings()
    if (loaded) return loaded
    const loading = load()
    loaded = loading
    loading.catch(() => {
      if (loaded === loading) loaded = undefined
    })
    return loading
  }
}

interface SharedRun<Value> {
  readonly done: Promise<Value>
  readonly stop: AbortController
  /** Number of callers that wait for `done`. */
  waiting: number
}

/** Runs work with the same key once for all callers that wait for it at the same time. Caches no results. Aborts work for which no caller waits. */
export class SharedWork<Value> {
  readonly #running = new Map<string, SharedRun<Value>>()

  /** @throws ContextError `cancelled`; the errors of the work. */
  async do(key: string, work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    throwIfAborted(signal)
    const run = this.#running.get(key) ?? this.#begin(key, work)
    run.waiting++
    try {
      return await untilAborted(run.done, signal)
    } finally {
      if (--run.waiting === 0) this.#end(key, run)
    }
  }

  /** Makes later callers begin new work instead of sharing work that has begun. */
  forget(): void {
    this.#running.clear()
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Value>): SharedRun<Value> {
    const stop = new AbortController()
    const run: SharedRun<Value> = { done: work(stop.signal), stop, waiting: 0 }
    this.#running.set(key, run)
    const remove = () => this.#running.get(key) === run && this.#running.delete(key)
    run.done.then(remove, remove)
    return run
  }

  #end(key: string, run: SharedRun<Value>): void {
    if (this.#running.get(key) === run) this.#running.delete(key)
    run.stop.abort()
  }
}

/** The longest timer of Node in milliseconds, 24 days: a longer timer would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * A time limit for some work. Its timer is cleared at the end of the work, unlike the timer of `AbortSignal.timeout`,
 * which runs until the limit: with 1000 requests a second and a limit of 60 seconds, a server would have 60,000 timers.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  /** `ms`: milliseconds from now, at most `LONGEST_TIMER`. The timer does not keep the process alive. */
  constructor(ms: number) {
    const fire = () => this.#controller.abort(new DOMException('The time is over.', 'TimeoutError'))
    this.#timer = setTimeout(fire, Math.min(ms, LONGEST_TIMER)).unref()
  }

  /** Fires at the time limit. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Fires at the time limit, or when one of the other signals fires. */
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

/** Items, or a function that fetches them until its signal fires. */
type ItemSource<Item> = Iterable<Item> | AsyncIterable<Item> | ((signal: AbortSignal) => AsyncIterable<Item>)

/**
 * Calls `work` for each item, for at most `atOnce` items at a time. The results are in the order of the items. The
 * first failure aborts the work for the other items, and is thrown after all work has ended.
 */
export async function mapParallel<Item, Result>(
  items: ItemSource<Item>,
  { atOnce, signal: outer }: { readonly atOnce: number; readonly signal?: AbortSignal | undefined },
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stop = new AbortController()
  const signal = outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal])
  const source = typeof items === 'function' ? items(signal) : items
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const results: Result[] = []
  let nextIndex = 0
  const worker = async () => {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      if (stop.signal.aborted) return
      const index = nextIndex++
      results[index] = await work(step.value, signal)
    }
  }
  const workers = Array.from({ length: atOnce }, worker)
  try {
    await Promise.all(workers)
    return results
  } finally {
    stop.abort()
    await Promise.allSettled(workers)
    await iterator.return?.()
  }
}
