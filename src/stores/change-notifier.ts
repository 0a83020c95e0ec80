/** Wakes watchers after a change by any process. A notification has no data: a watcher then reads the database. */

import { waitForWake } from '../core/steps.ts'

/** Watches for changes under one name. After a change between two calls of `changed`, the second resolves at once. */
export interface Watch extends Disposable {
  /** Resolves after a change since the last call, after the maximum wait, or when the signal fires. */
  changed(signal?: AbortSignal): Promise<void>
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

  /** `maximumMs` is called for each wait, and returns the maximum milliseconds of the wait. */
  watch(name: string, maximumMs: () => number): Watch {
    let isChanged = false
    let wake = () => {}
    const onChange = () => {
      isChanged = true
      wake()
    }
    this.#watchers.set(name, (this.#watchers.get(name) ?? new Set()).add(onChange))
    return {
      changed: async (signal) => {
        if (!isChanged && !signal?.aborted) await waitForWake(maximumMs(), signal, (wakeWaiter) => (wake = wakeWaiter))
        isChanged = false
      },
      [Symbol.dispose]: () => this.#forget(name, onChange),
    }
  }

  #forget(name: string, onChange: () => void): void {
    const watchers = this.#watchers.get(name)
    watchers?.delete(onChange)
    if (watchers?.size === 0) this.#watchers.delete(name)
  }
}
