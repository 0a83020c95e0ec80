import { Button } from './Button.tsx'
import { numberOf } from './format.ts'

interface ProgressLineProps {
  /** What is being done: "Indexing docs". */
  readonly label: string
  readonly progress?: { readonly what?: string; readonly done: number; readonly total: number } | undefined
  /** What is counted, in the plural form: "files". Default: nothing is said. */
  readonly unit: string
  /** Shown until something is counted. */
  readonly before?: string
  readonly onStop?: (() => void) | undefined
}

/** How far a long operation is. It is never shown as complete while it runs. */
export function ProgressLine({ label, progress, unit, before = 'Starting', onStop }: ProgressLineProps) {
  const { done = 0, total = 0 } = progress ?? {}
  const isCounted = total > 0
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <progress
        aria-label={label}
        className="h-1.5 w-40 max-sm:w-24"
        {...(isCounted && done < total && { value: done, max: total })}
      />
      <span role="status" className="text-xs text-ink-2 tabular-nums">
        {isCounted ? (done < total ? `${numberOf(done)} of ${numberOf(total)} ${unit}` : 'Finishing') : before}
      </span>
      {onStop && <Button onClick={onStop}>Stop</Button>}
    </span>
  )
}
