/** Wakes those who wait for a change, whichever process makes it. The database is the truth; a notification only says: read now. */

import { setTimeout as sleep } from 'node:timers/promises'

/** Watches one name from the moment it is made: a change between two calls is not missed. */
export interface Watch {
  /** Resolves when it may have changed since this was last called, in any case after a while, or when the signal fires. */
  changed(signal?: AbortSignal): Promise<void>
  close(): void
}

export class ChangeNotifier {
  readonly #watchers = new Map<string, Set<() => void>>()

  notify(name: string): void {
    for (const wake of [...(this.#watchers.get(name) ?? [])]) wake()
  }

  notifyAll(): void {
    for (const name of [...this.#watchers.keys()]) this.notify(name)
  }

  /** Whether anything is watched. */
  get hasWatchers(): boolean {
    return this.#watchers.size > 0
  }

  /** `mostMs`: the longest wait without a notification; called for each wait. */
  watch(name: string, mostMs: () => number): Watch {
    let changed = new AbortController()
    const notice = () => changed.abort()
    this.#watchers.set(name, (this.#watchers.get(name) ?? new Set()).add(notice))
    return {
      changed: async (signal) => {
        const either = signal ? AbortSignal.any([signal, changed.signal]) : changed.signal
        if (!either.aborted) await sleep(mostMs(), undefined, { signal: either }).catch(() => {})
        changed = new AbortController()
      },
      close: () => this.#forget(name, notice),
    }
  }

  #forget(name: string, notice: () => void): void {
    const all = this.#watchers.get(name)
    all?.delete(notice)
    if (all?.size === 0) this.#watchers.delete(name)
  }
}
