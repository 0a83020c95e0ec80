import { type RefObject, useEffect, useState } from 'react'

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

/** Whether an element has come near to what is seen, ever. */
export function useIsNear(ref: RefObject<Element | null>, isFirst = false): boolean {
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    if (isNear || !ref.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '800px',
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isNear, ref])
  return isNear
}
