import { ContextError, TooMany } from '../../core/errors.ts'
import { isLocalOwner, type Principal } from '../../engine/principal.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { TakePlace } from './http-parts.ts'

/** Limits what is done at once: one more is refused, since a queue would slow down all of it. */
export class Limiter {
  readonly #most: number
  readonly #what: string
  readonly #isShare: boolean
  #taken = 0

  /** `what`: names what it counts. `isShare`: it limits one principal, and not the server. */
  constructor(most: number, what: string, isShare = false) {
    this.#most = most
    this.#what = what
    this.#isShare = isShare
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

  /** Takes one; the returned function gives it back, once. @throws ContextError as `check`. */
  take(): () => void {
    this.check()
    this.#taken++
    let isTaken = true
    return () => {
      if (isTaken) this.#taken--
      isTaken = false
    }
  }
}

/** Most places of a server; of all its guests together; and of each. */
interface PlaceLimits {
  readonly most: number
  /** Default: a tenth of all is reserved for the owner of the server. */
  readonly guests?: number
  readonly each: number
}

/** The places of a server for one kind of work. */
export class Places {
  readonly all: Limiter
  readonly #guests: Limiter
  readonly #each: () => Limiter

  constructor({ most, guests = most - Math.floor(most / 10), each }: PlaceLimits, what: string) {
    this.all = new Limiter(most, what)
    this.#guests = new Limiter(guests, what)
    this.#each = () => new Limiter(each, what, true)
  }

  /** Takes a place of the server; for a guest also one of all guests, and one of their own. The owner can have all of them. */
  for(principal: Principal): TakePlace {
    if (isLocalOwner(principal)) return () => this.all.take()
    const each = [this.#each(), this.#guests, this.all]
    return () => takeEach(each)
  }
}

/** Takes one of each; the returned function gives all back. @throws ContextError as `take`: then none is taken. */
function takeEach(all: readonly Limiter[]): () => void {
  const taken: (() => void)[] = []
  const giveBack = () => {
    for (const one of taken) one()
  }
  try {
    for (const limiter of all) taken.push(limiter.take())
  } catch (error) {
    giveBack()
    throw error
  }
  return giveBack
}

/** The operation, which has a place while it runs. */
export function limitOperation(operation: AnyOperation, take: TakePlace): AnyOperation {
  return {
    ...operation,
    run: async (engine, input, run) => {
      const done = take()
      try {
        return await operation.run(engine, input, run)
      } finally {
        done()
      }
    },
  }
}
