interface BatchLimits<Value> {
  /** Maximum values of a batch. Default: unlimited. */
  readonly count?: number
  /** Maximum sum of the sizes of the values of a batch. */
  readonly size: number
  sizeOf(value: Value): number
}

/** Divides values into batches within the limits, in order. A value larger than `limits.size` is a batch by itself. */
export function* batchesWithin<Value>(values: Iterable<Value>, limits: BatchLimits<Value>): Generator<Value[]> {
  let batch: Value[] = []
  let sum = 0
  for (const value of values) {
    const size = limits.sizeOf(value)
    if (batch.length > 0 && (batch.length === limits.count || sum + size > limits.size)) {
      yield batch
      batch = []
      sum = 0
    }
    batch.push(value)
    sum += size
  }
  if (batch.length > 0) yield batch
}
