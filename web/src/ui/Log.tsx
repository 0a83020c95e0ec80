import { type ComponentProps, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { cn } from './cn.ts'

interface LogProps extends ComponentProps<'div'> {
  readonly label: string
  /** The content. A change scrolls to the end, unless the reader has scrolled up. */
  readonly grows: unknown
  /** A change of this value always scrolls to the end. */
  readonly scrollKey?: unknown
}

/** Maximum pixels from the end at which the log follows new content. */
const NEAR = 40

/** A scroll region that stays at its end while its content grows. */
export function Log({ label, grows, scrollKey, className, ...rest }: LogProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const lastTop = useRef(0)
  const follow = useCallback(() => {
    const log = ref.current
    if (!log || !isAtEnd.current) return
    log.scrollTo({ top: log.scrollHeight })
    lastTop.current = log.scrollTop
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `scrollKey` follows the end again.
  useLayoutEffect(() => {
    isAtEnd.current = true
  }, [scrollKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `grows` scrolls to the end.
  useLayoutEffect(follow, [grows])
  // Rotating a phone and its keyboard resize the region, and late cards resize the content.
  useEffect(() => {
    const log = ref.current
    if (!log) return
    const sizes = new ResizeObserver(follow)
    for (const one of [log, ...log.children]) sizes.observe(one)
    return () => sizes.disconnect()
  }, [follow])
  return (
    <div
      ref={ref}
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        // Only a reader scrolls up, and only scrolling up stops following the end. New content alone does not.
        if (scrollHeight - scrollTop - clientHeight < NEAR) isAtEnd.current = true
        else if (scrollTop < lastTop.current) isAtEnd.current = false
        lastTop.current = scrollTop
      }}
      className={cn('min-h-0 flex-1 overflow-y-auto', className)}
      {...rest}
    />
  )
}
