import { Bells, type Watch } from '../change-notifier.ts'
import type { SqliteConnection } from './sql.ts'

/**
 * How often is looked whether other connections wrote, how long is rested after one did, and how long is waited at most where
 * none does. Milliseconds. A look costs some microseconds; what it rings for is a reading of all that is followed.
 */
const LOOK_MS = 25
const REST_MS = 150
const COVER_MS = 5_000

/** Rings for what this process writes. */
export const BELLS = new Bells()

/** Rings for what other connections write, too: one look at a number of the database, for all who wait together. */
export class OtherWriters {
  readonly #sql: SqliteConnection
  #waiting = 0
  #seen = 0
  #restsUntil = 0
  #looking: NodeJS.Timeout | undefined

  constructor(sql: SqliteConnection) {
    this.#sql = sql
  }

  watch(name: string): Watch {
    if (this.#waiting++ === 0) this.#begin()
    const { changed, close } = BELLS.watch(name, () => COVER_MS)
    let isOpen = true
    return {
      changed,
      close: () => {
        close()
        if (isOpen && --this.#waiting === 0) clearInterval(this.#looking)
        isOpen = false
      },
    }
  }

  #begin(): void {
    this.#seen = this.#sql.others()
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  #look(): void {
    const [before, now] = [this.#seen, performance.now()]
    if (now < this.#restsUntil) return
    try {
      this.#seen = this.#sql.others()
    } catch {
      // Those who wait read for themselves, and get the error.
      this.#seen = -1
    }
    if (this.#seen === before) return
    this.#restsUntil = now + REST_MS
    BELLS.ringAll()
  }
}
