import { useIndexing } from '../api/indexing.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../ui/Button.tsx'
import { numberOf } from '../ui/format.ts'

/** Indexes a collection, and shows how far that is. */
export function IndexButton({ collection }: { readonly collection: string }) {
  const may = useMay('indexing.start')
  const { start, stop, isRunning, problem } = useIndexing(collection)
  if (isRunning) {
    return (
      <>
        <IndexProgress collection={collection} />
        {may && <Button onClick={stop}>Stop</Button>}
      </>
    )
  }
  if (!may) return null
  return (
    <>
      {problem !== undefined && <span className="text-xs wrap-anywhere text-bad">{problem}</span>}
      <Button onClick={start}>Index</Button>
    </>
  )
}

/** How far the indexing of a collection is, while it goes on. */
export function IndexProgress({ collection }: { readonly collection: string }) {
  const { isQueued, isResumed, done, total } = useIndexing(collection)
  const far = total > 0 ? `${numberOf(done)} of ${numberOf(total)} files` : isQueued ? 'Waiting' : 'Looking at files'
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <progress
        aria-label={`Indexing ${collection}`}
        className="h-1.5 w-24"
        {...(total > 0 && { value: done, max: total })}
      />
      <span className="text-xs text-ink-3 tabular-nums">
        {far}
        {isResumed && <span> · continued after a restart</span>}
      </span>
    </span>
  )
}
