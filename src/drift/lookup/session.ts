import { meanings } from '../citations/paths.ts'
import { type Lookup, upwards } from './lookup.ts'

/** Where the commands of a text are typed: each fence begins anew, and a `cd` holds to its end. */
export class ShellSession {
  /** The fence that commands are in; undefined outside fences. */
  fence: number | undefined
  readonly #lookup: Lookup
  readonly #start: readonly string[]
  #at: readonly string[] | undefined

  /** `start`: the directories that a command may be meant to run in, the likeliest first. */
  constructor(lookup: Lookup, start: readonly string[]) {
    this.#lookup = lookup
    this.#start = start
    this.#at = start
  }

  /** The directories that a command may be meant to run in; undefined when it runs in one that is not known. */
  get bases(): readonly string[] | undefined {
    return this.#at
  }

  start(fence: number | undefined): void {
    this.fence = fence
    this.#at = this.#start
  }

  enter(path: string): void {
    const from = this.#at === this.#start ? this.#start : (this.#at ?? []).slice(0, 1)
    const isKnown = !/^[~/-]|^\.\.|[$<{*]/.test(path) || (this.#at !== this.#start && path === '..')
    const entered = isKnown ? meanings(path, from).find((place) => this.#lookup.isDirectory(place)) : undefined
    this.#at = entered === undefined ? undefined : upwards(entered)
  }

  /** From now on nothing is known: files come that are not in the tree. */
  leave(): void {
    this.#at = undefined
  }
}
