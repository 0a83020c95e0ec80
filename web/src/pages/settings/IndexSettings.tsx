import { refetchAll } from '../../api/client.ts'
import { type CollectionsStatus, useStatus } from '../../api/collections.ts'
import { useLongOperation } from '../../api/follow.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { countOf, numberOf, sizeOf } from '../../ui/format.ts'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'

/** The index of all collections, in numbers. */
export function IndexSettings() {
  const { data, error, refetch } = useStatus()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  const { database, bytes, documents, segments, embedding } = data
  return (
    <Facts
      facts={[
        ['Database', <code key="name">{database}</code>],
        ['Size', sizeOf(bytes)],
        ['Documents', `${numberOf(documents)} in ${countOf(segments, 'segment')}`],
        ['Search by meaning', <Vectors key="vectors" embedding={embedding} />],
      ]}
    />
  )
}

/** How many documents have vectors of the embedding model, and the button that computes the others. */
function Vectors({ embedding }: { readonly embedding: CollectionsStatus['embedding'] }) {
  const may = useMay('embed')
  const { start, stop, isRunning, progress, error } = useLongOperation('embed')
  if (!embedding) return <>No embedding model is set; the built-in table of words is used</>
  const { model, documents, missing } = embedding
  return (
    <div className="stack justify-items-start gap-1.5">
      <p>
        {model}: {countOf(documents, 'document')}
        {missing > 0 && `, ${numberOf(missing)} without vectors`}
      </p>
      {isRunning && <ProgressLine label="Making vectors" progress={progress} unit="documents" onStop={stop} />}
      {!isRunning && may && missing > 0 && (
        <Button onClick={() => start({}, { onSettled: refetchAll })}>Make vectors</Button>
      )}
      {error && <ErrorNote error={error} className="p-0" />}
    </div>
  )
}
