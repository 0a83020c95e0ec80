import { useEffect, useState } from 'react'

/** The value as it was when it last stayed the same for so many milliseconds. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [kept, setKept] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setKept(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return kept
}
