/** How much is read before it is asked for. */
export interface AheadLimits {
  /** Files that are read at the same time. */
  readonly wide: number
  /** Bytes that these may have together; one file may have more, by itself. */
  readonly bytes: number
}

/** Files in their order, each with what is read of it. Ended early, it waits for what is under way. */
export async function* ahead<File extends { readonly size: number }, Read>(
  files: readonly File[],
  read: (file: File) => Promise<Read>,
  { wide, bytes }: AheadLimits,
): AsyncGenerator<readonly [File, Read], void> {
  const queue: { readonly file: File; readonly reading: Promise<Read> }[] = []
  let [next, under] = [0, 0]
  const fill = () => {
    for (let file = files[next]; file && queue.length < wide; file = files[++next]) {
      if (queue.length > 0 && under + file.size > bytes) return
      under += file.size
      const reading = read(file)
      // What fails is told when its turn comes.
      reading.catch(() => {})
      queue.push({ file, reading })
    }
  }
  try {
    for (fill(); queue.length > 0; fill()) {
      const [{ file, reading }] = queue as [(typeof queue)[number]]
      yield [file, await reading]
      queue.shift()
      under -= file.size
    }
  } finally {
    await Promise.allSettled(queue.map(({ reading }) => reading))
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
