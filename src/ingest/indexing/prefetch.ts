/**
 * Files in their order, each with what is read of it; the next page is asked for while one is read. Ended early, it waits for
 * what is under way.
 */
export async function* ahead<File extends { readonly size: number }, Read>(
  pages: AsyncIterable<readonly File[]>,
  read: (file: File) => Promise<Read>,
  { wide, bytes }: { readonly wide: number; readonly bytes: number },
): AsyncGenerator<readonly [File, Read], void> {
  const queue: { readonly file: File; readonly reading: Promise<Read> }[] = []
  const files = flattenPages(pages)
  let next: IteratorResult<File, void> | undefined
  let under = 0
  const fill = async () => {
    while (queue.length < wide) {
      next ??= await files.next()
      if (next.done || (queue.length > 0 && under + next.value.size > bytes)) return
      const file = next.value
      next = undefined
      under += file.size
      const reading = read(file)
      // An error is thrown at its turn.
      reading.catch(() => {})
      queue.push({ file, reading })
    }
  }
  try {
    for (await fill(); queue.length > 0; await fill()) {
      const [{ file, reading }] = queue as [(typeof queue)[number]]
      yield [file, await reading]
      queue.shift()
      under -= file.size
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
      // Whoever comes to it hears of its failure.
      next.catch(() => {})
      yield* page.value
      page = await next
    }
  } finally {
    await source.return?.()
  }
}

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
