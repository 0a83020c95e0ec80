import { useRef, useState } from 'react'
import { refetchAll } from '../../api/client.ts'
import type { CollectionsStatus } from '../../api/collections.ts'
import { follow, type Progress } from '../../api/follow.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { counted, numberOf } from '../../ui/format.ts'
import { ErrorNote } from '../../ui/State.tsx'

/** The vectors by which is searched by meaning: how many there are, and what makes the others. */
export function Vectors({ embedding }: { readonly embedding: CollectionsStatus['embedding'] }) {
  const may = useMay('embed')
  const { start, stop, isRunning, progress, error } = useEmbedding()
  if (!embedding) return <>No embedding model is set</>
  const { model, documents, missing } = embedding
  return (
    <div className="stack justify-items-start gap-1.5">
      <p>
        {model}: {counted(documents, 'document')}
        {missing > 0 && `, ${numberOf(missing)} without vectors`}
      </p>
      {isRunning ? (
        <div className="flex flex-wrap items-center gap-3">
          <progress
            aria-label="Making vectors"
            className="h-1.5 w-40"
            {...(progress && progress.total > 0 && { value: progress.done, max: progress.total })}
          />
          {progress && (
            <span className="text-xs text-ink-3">
              {numberOf(progress.done)} of {counted(progress.total, 'document')}
            </span>
          )}
          <Button onClick={stop}>Stop</Button>
        </div>
      ) : (
        may && missing > 0 && <Button onClick={start}>Make vectors</Button>
      )}
      {error !== undefined && <ErrorNote error={error} className="p-0" />}
    </div>
  )
}

function useEmbedding() {
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const stopping = useRef<AbortController>(undefined)
  const start = async () => {
    const controller = new AbortController()
    stopping.current = controller
    setRunning(true)
    setError(undefined)
    try {
      await follow('embed', {}, { tell: setProgress, signal: controller.signal })
    } catch (failed) {
      if (!controller.signal.aborted) setError(failed)
    }
    setRunning(false)
    setProgress(undefined)
    await refetchAll()
  }
  return { start, stop: () => stopping.current?.abort(), isRunning, progress, error }
}
