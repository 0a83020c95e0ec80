/** Sets a value as the newest of a map, and drops the oldest one above `limit`. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > limit && oldest !== undefined) map.delete(oldest)
}
