import { ContextError, LimitReached } from '../../core/errors.ts'
import { isLocalOwner, type Principal } from '../../engine/principal.ts'
import type { AnyOperation } from '../../operations/index.ts'
import type { TakeSlot } from './http-parts.ts'

/** Limits concurrent work. Refuses more work instead of queueing it, because a queue would slow down all work. */
export class Limiter {
  readonly #maximum: number
  readonly #workName: string
  readonly #isShare: boolean
  takenCount = 0

  /**
   * `workName`: the name of the work in error messages. `isShare`: whether the limit applies to one principal, not to the server.
   */
  constructor(maximum: number, workName: string, isShare = false) {
    this.#maximum = maximum
    this.#workName = workName
    this.#isShare = isShare
  }

  /** @throws ContextError if no slot is free: `unavailable`, or `over-limit` for a share. */
  check(): void {
    if (this.takenCount < this.#maximum) return
    if (this.#isShare) throw new LimitReached(`You have ${this.#maximum} ${this.#workName} already.`)
    const message = `The server has ${this.#maximum} ${this.#workName} already.`
    throw new ContextError('unavailable', message, { hint: 'Ask again in a moment.' })
  }

  /** Takes a slot. Returns the function that frees the slot; further calls do nothing. @throws ContextError as `check`. */
  take(): () => void {
    this.check()
    this.takenCount++
    let isHeld = true
    return () => {
      if (isHeld) this.takenCount--
      isHeld = false
    }
  }
}

/**
 * Maximum number of slots of a server, of all its guests together, and of each guest. A guest is a principal who is not the local
 * owner.
 */
interface SlotLimits {
  readonly maximum: number
  /** Default: nine tenths of `maximum`, so that a tenth is reserved for the owner of the server. */
  readonly guests?: number
  readonly each: number
}

/** The slots of a server for one kind of work. */
export class SlotShares {
  readonly all: Limiter
  readonly #guests: Limiter
  readonly #newShare: () => Limiter

  constructor({ maximum, guests = maximum - Math.floor(maximum / 10), each }: SlotLimits, workName: string) {
    this.all = new Limiter(maximum, workName)
    this.#guests = new Limiter(guests, workName)
    this.#newShare = () => new Limiter(each, workName, true)
  }

  /**
   * Returns the function that takes a slot for a principal. A guest takes a slot of the guest's share, of all guests, and of the
   * server. The owner can take all slots of the server.
   */
  for(principal: Principal): TakeSlot {
    if (isLocalOwner(principal)) return () => this.all.take()
    const limiters = [this.#newShare(), this.#guests, this.all]
    return () => takeEach(limiters)
  }
}

/** Takes a slot of each limiter, or of none. Returns the function that frees all. @throws ContextError as `take`. */
function takeEach(limiters: readonly Limiter[]): () => void {
  for (const limiter of limiters) limiter.check()
  const releases = limiters.map((limiter) => limiter.take())
  return () => {
    for (const release of releases) release()
  }
}

/** The same operation, but it takes a slot while it runs. */
export function limitOperation(operation: AnyOperation, take: TakeSlot): AnyOperation {
  return {
    ...operation,
    run: async (engine, input, run) => {
      const release = take()
      try {
        return await operation.run(engine, input, run)
      } finally {
        release()
      }
    },
  }
}
