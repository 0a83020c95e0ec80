/** What `work` makes of each item, in their order, with at most `wide` of them under way. The first failure ends it. */
export async function eachOf<Item, Made>(
  items: readonly Item[],
  wide: number,
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  const queue = numbered(items)
  const worker = async () => {
    for (const [index, item] of queue) made[index] = await work(item)
  }
  // A worker that fails ends the queue that all draw from.
  await Promise.all(Array.from({ length: wide }, worker))
  return made
}

function* numbered<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
