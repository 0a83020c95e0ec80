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

/** The title of the window, while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ambit`
  }, [title])
}
