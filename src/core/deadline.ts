/**
 * A time until which something is to be done. Unlike `AbortSignal.timeout` it takes nothing when that was done before: a server
 * that answers a thousand requests a second would have as many timers for each second of their time.
 */
export class Deadline implements Disposable {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout

  /** `ms`: milliseconds from now. Keeps no process from ending. */
  constructor(ms: number) {
    const over = () => this.#ending.abort(new DOMException('The time is over.', 'TimeoutError'))
    this.#timer = setTimeout(over, ms).unref()
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
