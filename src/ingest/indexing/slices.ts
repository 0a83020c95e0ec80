/** Terms that are written at a time: others may write between. */
export const TERMS_AT_ONCE = 4_000

/** All of them, some at a time. */
export function* slices<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let slice: Item[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
