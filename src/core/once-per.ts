/** The function that calls `compute` once for each object. It holds a value as long as its object lives. */
export function oncePer<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? compute(key)
    values.set(key, value)
    return value
  }
}
