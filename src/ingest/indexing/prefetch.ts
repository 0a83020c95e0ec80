/**
 * Yields files in order, each with the result of `read`. Reads up to `concurrency` files and `maxBytes` bytes ahead of
 * the consumer, and requests the next page early. If the consumer ends early, waits for pending reads.
 */
export async function* readAhead<File extends { readonly size: number }, Read>(
  pages: AsyncIterable<readonly File[]>,
  read: (file: File) => Promise<Read>,
  { concurrency, maxBytes }: { readonly concurrency: number; readonly maxBytes: number },
): AsyncGenerator<readonly [File, Read], void> {
  const queue: { readonly file: File; readonly reading: Promise<Read> }[] = []
  const files = flattenPages(pages)
  let next: IteratorResult<File, void> | undefined
  let pendingBytes = 0
  const fill = async () => {
    while (queue.length < concurrency) {
      next ??= await files.next()
      if (next.done || (queue.length > 0 && pendingBytes + next.value.size > maxBytes)) return
      const file = next.value
      next = undefined
      pendingBytes += file.size
      const reading = read(file)
      // The consumer gets the error at the turn of this file.
      reading.catch(() => {})
      queue.push({ file, reading })
    }
  }
  try {
    for (await fill(); queue.length > 0; await fill()) {
      const [{ file, reading }] = queue as [(typeof queue)[number]]
      yield [file, await reading]
      queue.shift()
      pendingBytes -= file.size
    }
  } finally {
    await Promise.allSettled([...queue.map(({ reading }) => reading), files.return()])
  }
}

/** Items of pages, one after the other. */
async function* flattenPages<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, void> {
  const source = pages[Symbol.asyncIterator]()
  try {
    for (let page = await source.next(); !page.done; ) {
      const next = source.next()
      // The consumer gets the error when it reaches this page.
      next.catch(() => {})
      yield* page.value
      page = await next
    }
  } finally {
    await source.return?.()
  }
}

/** Number of terms in one write: few, so that other processes can write in between. */
export const TERMS_AT_ONCE = 4_000

/** The items in groups of at most `size`. */
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
