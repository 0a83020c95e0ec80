import { ContextError, TooMany } from '../../core/errors.ts'
import { isLocalOwner } from '../../engine/principal.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { HttpLimits, HttpVisitor } from './http-parts.ts'
import type { Refusal } from './problem.ts'

/** Limits the requests at once: one more is refused, since a queue would slow down all of them. */
export class RequestLimiter {
  readonly #limits: Pick<HttpLimits, 'requests' | 'requestsEach'>
  #asked = 0
  /** Of these, those of guests. */
  #guests = 0

  constructor(limits: Pick<HttpLimits, 'requests' | 'requestsEach'>) {
    this.#limits = limits
  }

  get asked(): number {
    return this.#asked
  }

  /** Admits a request. Call the function that it returns once, after the answer. */
  enter(visitor: HttpVisitor): (() => void) | Refusal {
    if (this.#asked >= this.#limits.requests) return OVERLOADED
    const isGuest = !isLocalOwner(visitor.principal)
    if (isGuest && visitor.asked >= this.#limits.requestsEach) return TOO_MANY
    if (isGuest && this.#guests >= withoutReserve(this.#limits.requests)) return OVERLOADED
    const guests = isGuest ? 1 : 0
    this.#guests += guests
    this.#asked++
    visitor.asked++
    return () => {
      this.#guests -= guests
      this.#asked--
      visitor.asked--
    }
  }
}

/** The share of all guests together: a tenth is reserved for the owner of the server. */
export function withoutReserve(most: number): number {
  return most - Math.floor(most / 10)
}

const OVERLOADED: Refusal = {
  status: 503,
  detail: 'The server has too many requests.',
  hint: 'Ask again in a moment.',
}

const TOO_MANY: Refusal = {
  status: 429,
  detail: 'You have too many requests under way.',
  hint: 'Wait for the answers to some of them.',
}

/** Limits operations, streams or bodies at once: one more is refused. */
export class OperationLimiter {
  readonly #most: number
  readonly #isShare: boolean
  readonly #what: string
  #taken = 0

  /** `isShare`: it limits one principal, and not the server. `what`: names what it counts. */
  constructor(most: number, isShare = false, what = 'operations under way') {
    this.#most = most
    this.#isShare = isShare
    this.#what = what
  }

  get taken(): number {
    return this.#taken
  }

  /** @throws ContextError `unavailable` when none is free; `over-limit` when they are a share. */
  check(): void {
    if (this.#taken < this.#most) return
    if (this.#isShare) throw new TooMany(`You have ${this.#most} ${this.#what} already.`)
    const message = `The server has ${this.#most} ${this.#what} already.`
    throw new ContextError('unavailable', message, { hint: 'Ask again in a moment.' })
  }

  /** Takes one; the returned function gives it back, once. @throws ContextError `unavailable` when none is free. */
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

/** Takes one of each; the returned function gives all back. @throws ContextError as `take`: then none is taken. */
export function takeEach(all: readonly OperationLimiter[]): () => void {
  const taken: (() => void)[] = []
  const giveBack = () => {
    for (const one of taken) one()
  }
  try {
    for (const slots of all) taken.push(slots.take())
  } catch (error) {
    giveBack()
    throw error
  }
  return giveBack
}
