/** The score of the last of the best `most`, and how many hits there are. */
export function cut(scores: readonly Float64Array[], most: number): { threshold: number; total: number } {
  // A heap of the best so far, the least of them on top.
  const heap = new Float64Array(most)
  let size = 0
  let total = 0
  for (const each of scores) {
    for (let doc = 0; doc < each.length; doc++) {
      const score = each[doc] ?? 0
      if (score === 0) continue
      total++
      if (size < most) raise(heap, size++, score)
      else if (score > (heap[0] ?? 0)) sink(heap, score)
    }
  }
  return { threshold: size < most ? Number.MIN_VALUE : (heap[0] ?? 0), total }
}

function raise(heap: Float64Array, start: number, score: number): void {
  let at = start
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((heap[parent] ?? 0) <= score) break
    heap[at] = heap[parent] ?? 0
    at = parent
  }
  heap[at] = score
}

function sink(heap: Float64Array, score: number): void {
  let at = 0
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
    if ((heap[child] ?? 0) >= score) break
    heap[at] = heap[child] ?? 0
    at = child
  }
  heap[at] = score
}
