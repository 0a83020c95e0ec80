/** Returns a function that calls `compute` once for each object, and caches the value as long as the object lives. */
export function cachePerObject<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const valueByObject = new WeakMap<Key, Value>()
  return (key) => {
    const value = valueByObject.get(key) ?? compute(key)
    valueByObject.set(key, value)
    return value
  }
}
