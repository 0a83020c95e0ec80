/** The score of the last of the best `most` that were offered, and how many there were. */
export class Best {
  /** A heap of the best so far, the least of them on top. */
  readonly #heap: Float64Array
  #size = 0
  total = 0

  constructor(most: number) {
    this.#heap = new Float64Array(most)
  }

  /** What all of the best reach. */
  get threshold(): number {
    return this.#size < this.#heap.length ? Number.MIN_VALUE : (this.#heap[0] ?? 0)
  }

  /** Whether it is among the best so far, or ties with the last of them. */
  offer(score: number): boolean {
    this.total++
    const { threshold } = this
    if (score < threshold) return false
    if (this.#size < this.#heap.length) raise(this.#heap, this.#size++, score)
    else if (score > threshold) sink(this.#heap, score)
    return true
  }
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
