/** Wakes those who wait for something to change, wherever it was changed. What is kept is the truth; a bell only says: look now. */

/** Of one thing. It hears from the moment it is made: what happens between two looks is not missed. */
export interface Watch {
  /** Resolves when it may have changed since this was last called, in any case after a while, or when the signal fires. */
  changed(signal?: AbortSignal): Promise<void>
  close(): void
}

export class Bells {
  readonly #heard = new Map<string, Set<() => void>>()

  ring(name: string): void {
    for (const hear of [...(this.#heard.get(name) ?? [])]) hear()
  }

  ringAll(): void {
    for (const name of [...this.#heard.keys()]) this.ring(name)
  }

  /** Whether anybody waits. */
  get areHeard(): boolean {
    return this.#heard.size > 0
  }

  /** `mostMs`: how long is waited at most where no bell rings. Asked each time. */
  watch(name: string, mostMs: () => number): Watch {
    let isRung = false
    let wake = () => {}
    const hear = () => {
      isRung = true
      wake()
    }
    this.#heard.set(name, (this.#heard.get(name) ?? new Set()).add(hear))
    return {
      changed: async (signal) => {
        if (!isRung && !signal?.aborted) await rungOr(mostMs(), { signal, waiting: (ring) => (wake = ring) })
        isRung = false
      },
      close: () => this.#forget(name, hear),
    }
  }

  #forget(name: string, hear: () => void): void {
    const all = this.#heard.get(name)
    all?.delete(hear)
    if (all?.size === 0) this.#heard.delete(name)
  }
}

interface Waiting {
  readonly signal: AbortSignal | undefined
  waiting(ring: () => void): void
}

async function rungOr(ms: number, { signal, waiting }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ring = () => resolve()
  const timer = setTimeout(ring, ms)
  waiting(ring)
  signal?.addEventListener('abort', ring, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', ring)
}
