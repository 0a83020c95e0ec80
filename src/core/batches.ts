/** Limits of a batch. Its size is the sum of the sizes of its values. */
interface BatchLimits<Value> {
  /** Default: unlimited. */
  readonly count?: number
  readonly size: number
  sizeOf(value: Value): number
}

/** The values in batches within the limits, in order. A value that is larger than the limit is a batch by itself. */
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
