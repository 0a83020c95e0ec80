import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useStatus } from '../../api/collections.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { counted, sizeOf } from '../../ui/format.ts'
import { lazyPart } from '../../ui/part.ts'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Page } from '../Page.tsx'
import { CollectionTable } from './CollectionTable.tsx'
import { Findings, NeedsAttention } from './NeedsAttention.tsx'
import { ProjectContext } from './ProjectContext.tsx'

const AddCollection = lazyPart(() => import('./AddCollection.tsx').then(({ AddCollection }) => AddCollection))

/** What agents get of the project that is served, the collections, and what they lack. */
export function Home() {
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useStatus()
  const add = useMay('collections.add') && (
    <Button look="main" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      Add a collection
    </Button>
  )
  const isEmpty = data?.collections.length === 0
  const size = data && data.bytes > 0 ? ` · index of ${sizeOf(data.bytes)}` : ''
  const about = data && !isEmpty && `${counted(data.documents, 'document')}${size}`
  return (
    <Page title="Collections" about={about} actions={isEmpty ? null : add} lead={<ProjectContext />}>
      {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />)}
      {isEmpty && <Nothing action={add} />}
      {data && !isEmpty && (
        <>
          <CollectionTable collections={data.collections} />
          <NeedsAttention collections={data.collections} />
          <Findings />
        </>
      )}
      <Suspense>{isAdding && <AddCollection onClose={() => setAdding(false)} />}</Suspense>
    </Page>
  )
}

function Nothing({ action }: { readonly action: React.ReactNode }) {
  return (
    <Empty title="There are no collections yet" action={action}>
      <p>
        A collection is a folder with a name: notes, a manual, a repository. Ambit indexes its files, finds in them what
        a question is about, and tells an agent what each place is for.
      </p>
    </Empty>
  )
}
