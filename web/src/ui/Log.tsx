import { type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react'
import { cn } from './cn.ts'

interface LogProps extends ComponentProps<'div'> {
  readonly label: string
  /** What is in it: the end is followed when this changes, unless the reader has scrolled up. */
  readonly grows: unknown
  /** When this changes, the end is followed in any case. */
  readonly anew?: unknown
}

/** Pixels from the end within which a person reads along. */
const NEAR = 40

/** What grows at its end. */
export function Log({ label, grows, anew, className, ...rest }: LogProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is followed again.
  useLayoutEffect(() => {
    isAtEnd.current = true
  }, [anew])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what comes.
  useLayoutEffect(() => {
    if (isAtEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight })
  }, [grows])
  // A turned phone or its keyboard changes the place for it, and a late card its content.
  useEffect(() => {
    const log = ref.current
    if (!log) return
    const sizes = new ResizeObserver(() => isAtEnd.current && log.scrollTo({ top: log.scrollHeight }))
    for (const one of [log, ...log.children]) sizes.observe(one)
    return () => sizes.disconnect()
  }, [])
  return (
    <div
      ref={ref}
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
      className={cn('min-h-0 flex-1 overflow-y-auto', className)}
      {...rest}
    />
  )
}
