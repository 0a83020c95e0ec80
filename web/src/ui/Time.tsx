import { ageOf, momentOf } from './format.ts'

/** How long ago a time was, with the exact time as a tooltip; empty without a time. */
export function Age({ time, className }: { readonly time: string | null | undefined; readonly className?: string }) {
  if (time === null || time === undefined) return null
  return (
    <time dateTime={time} title={momentOf(time)} className={className}>
      {ageOf(time)}
    </time>
  )
}
