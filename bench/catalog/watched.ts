import type { Objects } from '../../src/files/objects.ts'

/** Requests, and when each was under way. */
export class Traffic {
  readonly #spans: { readonly from: number; readonly to: number }[] = []

  async noted<Value>(work: () => Promise<Value>): Promise<Value> {
    const from = performance.now()
    try {
      return await work()
    } finally {
      this.#spans.push({ from, to: performance.now() })
    }
  }

  get requests(): number {
    return this.#spans.length
  }

  /** The most requests of which each began when the one before had ended. */
  get roundTrips(): number {
    let count = 0
    let free = Number.NEGATIVE_INFINITY
    for (const { from, to } of this.#spans.toSorted((a, b) => a.to - b.to)) {
      if (from < free) continue
      count++
      free = to
    }
    return count
  }

  clear(): void {
    this.#spans.length = 0
  }
}

/** Objects of which each request is noted: every call of these is one. */
export function watched(objects: Objects, traffic: Traffic): Objects {
  return {
    ...objects,
    read: (key, request) => traffic.noted(() => objects.read(key, request)),
    head: (key, request) => traffic.noted(() => objects.head(key, request)),
    list: (request) => traffic.noted(() => objects.list(request)),
    async *stream(key, request) {
      const done = Promise.withResolvers<void>()
      void traffic.noted(() => done.promise)
      try {
        yield* objects.stream(key, request)
      } finally {
        done.resolve()
      }
    },
  }
}
