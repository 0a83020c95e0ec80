import { throwIfAborted } from '../core/errors.ts'
import type { ListRequest, ObjectPage, Objects } from '../objects/objects.ts'

/** The pages of a listing, one after the other. */
export async function* pagesOf(objects: Objects, request: ListRequest): AsyncGenerator<ObjectPage> {
  let next: string | undefined
  do {
    throwIfAborted(request.signal)
    const page = await objects.list(next === undefined ? request : { ...request, token: next })
    yield page
    next = page.next
  } while (next !== undefined)
}

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
