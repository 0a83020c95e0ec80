interface ParallelOptions {
  /** Most items that are worked on at the same time. */
  readonly wide: number
  readonly signal?: AbortSignal | undefined
}

/** What comes one after the other; a function of the signal where getting it can be stopped, too. */
type Items<Item> = Iterable<Item> | AsyncIterable<Item> | ((signal: AbortSignal) => AsyncIterable<Item>)

/**
 * Does some work for each item, several at a time; the results are in the order of the items. The first failure fires the signal
 * that all of them have, and is thrown when nothing is under way any more.
 */
export async function mapParallel<Item, Made>(
  items: Items<Item>,
  { wide, signal: outer }: ParallelOptions,
  work: (item: Item, signal: AbortSignal) => Promise<Made>,
): Promise<Made[]> {
  const stop = new AbortController()
  const signal = outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal])
  const steps = iteratorOf(typeof items === 'function' ? items(signal) : items)
  const made: Made[] = []
  let next = 0
  const worker = async () => {
    for (let step = await steps.next(); !step.done; step = await steps.next()) {
      if (stop.signal.aborted) return
      const at = next++
      made[at] = await work(step.value, signal)
    }
  }
  const workers = Array.from({ length: wide }, worker)
  try {
    await Promise.all(workers)
    return made
  } finally {
    stop.abort()
    await Promise.allSettled(workers)
    await steps.return?.()
  }
}

function iteratorOf<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
}
