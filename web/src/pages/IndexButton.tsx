import { useIndexing } from '../api/indexing.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../ui/Button.tsx'
import { ProgressLine } from '../ui/ProgressLine.tsx'

/** Indexes a collection, and shows the progress. */
export function IndexButton({ collection }: { readonly collection: string }) {
  const may = useMay('indexing.start')
  const { start, stop, problem, ...job } = useIndexing(collection)
  if (job.isRunning) {
    const unit = job.isResumed ? 'files · continued after a restart' : 'files'
    const before = job.isQueued ? 'Waiting' : 'Looking at files'
    const lineProps = { unit, before, progress: job, onStop: may ? stop : undefined }
    return <ProgressLine label={`Indexing ${collection}`} {...lineProps} />
  }
  if (!may) return null
  return (
    <>
      {problem !== undefined && <span className="text-xs wrap-anywhere text-bad">{problem}</span>}
      <Button onClick={start}>Index</Button>
    </>
  )
}
