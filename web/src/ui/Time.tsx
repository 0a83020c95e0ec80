import { ageOf, momentOf } from './format.ts'

/** How long ago something was, with the moment behind it; nothing where it is not known. */
export function Age({ time, className }: { readonly time: string | null | undefined; readonly className?: string }) {
  if (time === null || time === undefined) return null
  return (
    <time dateTime={time} title={momentOf(time)} className={className}>
      {ageOf(time)}
    </time>
  )
}
