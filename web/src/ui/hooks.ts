import { useRouterState } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'

/** The last value that did not change for `ms` milliseconds. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [settledValue, setSettledValue] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettledValue(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settledValue
}

/** A draft of a value. `onChange` gets the draft after `ms` milliseconds without edits. A new `value` replaces it. */
export function useDraft<Value>(value: Value, ms: number, onChange: (value: Value) => void) {
  const [draft, setDraft] = useState(value)
  const settled = useDebounced(draft, ms)
  const lastValue = useRef(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only edits of the draft are passed on.
  useEffect(() => {
    if (settled === lastValue.current) return
    lastValue.current = settled
    onChange(settled)
  }, [settled])
  useEffect(() => {
    if (value === lastValue.current) return
    lastValue.current = value
    setDraft(value)
  }, [value])
  return [draft, setDraft] as const
}

/** Sets the title of the window while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ambit`
  }, [title])
}

/** Path parameters and query of the page's URL. The same object for the same URL. */
export function useAddress() {
  const key = useRouterState({
    select: ({ location, matches }) =>
      JSON.stringify({ params: matches.at(-1)?.params ?? {}, search: location.search }),
  })
  return useMemo((): { readonly params: StringValues; readonly search: StringValues } => JSON.parse(key), [key])
}

type StringValues = Readonly<Record<string, string | undefined>>

/** Whether an element has ever been near the visible area. `startsNear`: the value before the first observation. */
export function useIsNear(ref: RefObject<Element | null>, startsNear = false): boolean {
  const [isNear, setNear] = useState(startsNear)
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

/**
 * Moves the focus in a list by arrow keys, Home and End. `wraps`: from an end to the other end. Returns the new index,
 * which may be beyond the ends; undefined for other keys, and if the focus is outside the list.
 */
export function moveFocus(
  event: KeyboardEvent,
  list: readonly HTMLElement[],
  { wraps = false } = {},
): number | undefined {
  const at = list.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key]
  if (to === undefined || at === -1) return undefined
  event.preventDefault()
  list[wraps ? (to + list.length) % list.length : to]?.focus()
  return to
}

/**
 * Whether a key sends the text: Enter without Shift. During the composition of characters, Enter ends the composition.
 * Safari ends it before the event, and then reports the key code 229.
 */
export function isSendKey({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229
}
