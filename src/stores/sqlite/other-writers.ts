import { ChangeNotifier, type Watch } from '../change-notifier.ts'
import type { SqliteConnection } from './sql.ts'

/**
 * Milliseconds between two reads of the version of the database (which take microseconds); pause after a change by
 * another connection, because a change makes all watchers read the database; and maximum wait without a change.
 */
const POLL_MS = 25
const PAUSE_MS = 150
const MAX_WAIT_MS = 5_000

/**
 * Wakes the watchers in this process, for all SQLite databases: after changes by this process, and after changes that
 * `OtherWriters` finds.
 */
export const LOCAL_NOTIFIER = new ChangeNotifier()

/** Watches for changes by other connections, too: one timer for all watchers reads the version of the database. */
export class OtherWriters {
  readonly #sql: SqliteConnection
  #watcherCount = 0
  #lastVersion = 0
  #pausedUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(sql: SqliteConnection) {
    this.#sql = sql
  }

  watch(name: string): Watch {
    if (this.#watcherCount++ === 0) this.#startPolling()
    const { changed, [Symbol.dispose]: close } = LOCAL_NOTIFIER.watch(name, () => MAX_WAIT_MS)
    let isOpen = true
    return {
      changed,
      [Symbol.dispose]: () => {
        close()
        if (isOpen && --this.#watcherCount === 0) clearInterval(this.#timer)
        isOpen = false
      },
    }
  }

  #startPolling(): void {
    this.#lastVersion = this.#sql.versionOfOthers()
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref()
  }

  #poll(): void {
    const [before, now] = [this.#lastVersion, performance.now()]
    if (now < this.#pausedUntil) return
    try {
      this.#lastVersion = this.#sql.versionOfOthers()
    } catch {
      // Notifies watchers as after a change, so that they read the database and get the error.
      this.#lastVersion = -1
    }
    if (this.#lastVersion === before) return
    this.#pausedUntil = now + PAUSE_MS
    LOCAL_NOTIFIER.notifyAll()
  }
}
