import { useIndexing } from '../api/collections.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../ui/Button.tsx'
import { numberOf } from '../ui/format.ts'

/** Indexes a collection, and shows how far that is. */
export function IndexButton({ collection }: { readonly collection: string }) {
  const may = useMay('index')
  const { start, stop, isRunning, progress, error } = useIndexing(collection)
  if (!may) return null
  if (!isRunning) {
    return (
      <>
        {error && <span className="text-xs text-bad">{error.message}</span>}
        <Button onClick={start}>Index</Button>
      </>
    )
  }
  const { done, total } = progress ?? { done: 0, total: 0 }
  return (
    <>
      <progress
        aria-label={`Indexing ${collection}`}
        className="h-1.5 w-24 accent-accent"
        {...(total > 0 && { value: done, max: total })}
      />
      <span className="text-xs text-ink-3 tabular-nums">
        {total > 0 ? `${numberOf(done)} of ${numberOf(total)}` : 'looking'}
      </span>
      <Button onClick={stop}>Stop</Button>
    </>
  )
}
