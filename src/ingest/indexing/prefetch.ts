/** How much is read before it is asked for. */
export interface AheadLimits {
  /** Files that are read at the same time. */
  readonly wide: number
  /** Bytes that these may have together; one file may have more, by itself. */
  readonly bytes: number
}

/**
 * Files in their order, each with what is read of it; the next page is asked for while one is read. Ended early, it waits for
 * what is under way.
 */
export async function* ahead<File extends { readonly size: number }, Read>(
  pages: AsyncIterable<readonly File[]>,
  read: (file: File) => Promise<Read>,
  { wide, bytes }: AheadLimits,
): AsyncGenerator<readonly [File, Read], void> {
  const queue: { readonly file: File; readonly reading: Promise<Read> }[] = []
  const source = new PagedSource(pages)
  let under = 0
  const fill = async () => {
    while (queue.length < wide) {
      const file = source.peek() ?? (await source.advance())
      if (!file || (queue.length > 0 && under + file.size > bytes)) return
      source.skip()
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
    await Promise.allSettled([...queue.map(({ reading }) => reading), source.end()])
  }
}

/** Items of pages, one after the other. */
class PagedSource<Item> {
  readonly #pages: AsyncIterator<readonly Item[]>
  #page: readonly Item[] = []
  #at = 0
  /** The page behind this one; undefined behind the last. */
  #next: Promise<IteratorResult<readonly Item[]>> | undefined

  constructor(pages: AsyncIterable<readonly Item[]>) {
    this.#pages = pages[Symbol.asyncIterator]()
    this.#next = this.#pages.next()
  }

  /** The item at hand, where that is on a page that came. */
  peek(): Item | undefined {
    return this.#page[this.#at]
  }

  /** As `peek`, from the next page that has one; undefined at the end. */
  async advance(): Promise<Item | undefined> {
    while (this.#at >= this.#page.length && this.#next) {
      const { value, done } = await this.#next
      this.#next = done ? undefined : this.#pages.next()
      // Whoever comes to it hears of its failure.
      this.#next?.catch(() => {})
      this.#page = done ? [] : value
      this.#at = 0
    }
    return this.peek()
  }

  skip(): void {
    this.#at++
  }

  async end(): Promise<void> {
    await this.#pages.return?.()
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
