import { ContextError, TooMany } from '../../core/errors.ts'
import { isLocalOwner, type Principal } from '../../engine/principal.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { TakePlace } from './http-parts.ts'

/** Limits concurrent work. It refuses further work, because a queue would slow down all of it. */
export class Limiter {
  readonly #most: number
  readonly #what: string
  readonly #isShare: boolean
  #taken = 0

  /** `what`: names the work. `isShare`: it limits one principal, not the server. */
  constructor(most: number, what: string, isShare = false) {
    this.#most = most
    this.#what = what
    this.#isShare = isShare
  }

  get taken(): number {
    return this.#taken
  }

  /** @throws ContextError without a free place: `unavailable`, or `over-limit` for a share. */
  check(): void {
    if (this.#taken < this.#most) return
    if (this.#isShare) throw new TooMany(`You have ${this.#most} ${this.#what} already.`)
    const message = `The server has ${this.#most} ${this.#what} already.`
    throw new ContextError('unavailable', message, { hint: 'Ask again in a moment.' })
  }

  /** Takes a place; the returned function frees it, once. @throws ContextError as `check`. */
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

/** Maximum number of places of a server, of all its guests together, and of each guest. */
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

  /** Takes a place of the server; for a guest also a place of all guests and one of the guest. The owner can take all places. */
  for(principal: Principal): TakePlace {
    if (isLocalOwner(principal)) return () => this.all.take()
    const each = [this.#each(), this.#guests, this.all]
    return () => takeEach(each)
  }
}

/** Takes a place of each; the returned function frees all. @throws ContextError as `take`, after freeing those already taken. */
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

/** The operation, which takes a place while it runs. */
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
