import { ContextError } from '../../core/errors.ts'
import type { AnyOperation } from '../../operations/index.ts'

/** How many operations run at once. One more is refused, rather than making all of them slow. */
export class Slots {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  get taken(): number {
    return this.#taken
  }

  /** @throws ContextError `unavailable` when none is free. */
  check(): void {
    if (this.#taken < this.#most) return
    const message = `The server does ${this.#most} things already.`
    throw new ContextError('unavailable', message, { hint: 'Ask again in a moment.' })
  }

  /** Takes one; the function that is returned gives it back, once. @throws ContextError `unavailable` when none is free. */
  take(): () => void {
    this.check()
    this.#taken++
    let isTaken = true
    return () => {
      if (isTaken) this.#taken--
      isTaken = false
    }
  }

  /** The operation, counted while it runs. */
  counted(operation: AnyOperation): AnyOperation {
    return {
      ...operation,
      run: async (engine, input, run) => {
        const done = this.take()
        try {
          return await operation.run(engine, input, run)
        } finally {
          done()
        }
      },
    }
  }
}
