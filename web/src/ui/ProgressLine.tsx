import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { cn } from './cn.ts'
import { numberOf } from './format.ts'

interface ProgressLineProps {
  /** The work: "Indexing docs". */
  readonly label: string
  readonly progress?: { readonly what?: string; readonly done: number; readonly total: number } | undefined
  /** Unit of the count, in the plural. */
  readonly unit: string
  /** Shown until something is counted; default "Starting". */
  readonly before?: string
  readonly onStop?: (() => void) | undefined
}

/** Seconds until the duration is shown. */
const LONG = 3

/** The progress and the duration of a long operation. It never shows 100 % while the operation runs. */
export function ProgressLine({ label, progress, unit, before = 'Starting', onStop }: ProgressLineProps) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const { done = 0, total = 0 } = progress ?? {}
  const isCounted = total > 0 && done < total
  const statusText = isCounted ? `${numberOf(done)} of ${numberOf(total)} ${unit}` : total > 0 ? 'Finishing' : before
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <span
        role="progressbar"
        aria-label={label}
        className="h-1.5 w-40 overflow-hidden rounded-full bg-line max-sm:w-24"
        {...(isCounted && { 'aria-valuenow': done, 'aria-valuemax': total })}
      >
        <span
          className={cn('block h-full bg-accent', !isCounted && 'mx-auto animate-pulse')}
          style={{ width: `${isCounted ? (100 * done) / total : 30}%` }}
        />
      </span>
      <span className="text-xs text-ink-2 tabular-nums">
        <span role="status">{statusText}</span>
        {seconds >= LONG && ` · ${numberOf(seconds)} s`}
      </span>
      {onStop && <Button onClick={onStop}>Stop</Button>}
    </span>
  )
}
