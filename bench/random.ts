/** Random numbers in [0, 1), the same for the same seed on every machine (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` of the values without repeats, in the order of the draw; all values if there are fewer. */
export function sampleOf<T>(values: readonly T[], count: number, seed: number): T[] {
  const random = randomOf(seed)
  const pool = [...values]
  for (let at = 0; at < Math.min(count, pool.length); at++) {
    const other = at + Math.floor(random() * (pool.length - at))
    ;[pool[at], pool[other]] = [pool[other] as T, pool[at] as T]
  }
  return pool.slice(0, count)
}
