import { ChangeNotifier, type Watch } from '../change-notifier.ts'
import type { SqliteConnection } from './sql.ts'

/**
 * Milliseconds between two reads of the version of the database, pause after another connection wrote, and maximum wait without a
 * change. Reading the version takes some microseconds; a notification makes all watchers read.
 */
const LOOK_MS = 25
const REST_MS = 150
const COVER_MS = 5_000

/** Changes by this process. */
export const OWN_CHANGES = new ChangeNotifier()

/** Notifies of changes by other connections, too: one timer for all watchers reads the version of the database. */
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
    const { changed, close } = OWN_CHANGES.watch(name, () => COVER_MS)
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
      // Waiting callers read by themselves, and get the error.
      this.#seen = -1
    }
    if (this.#seen === before) return
    this.#restsUntil = now + REST_MS
    OWN_CHANGES.notifyAll()
  }
}
