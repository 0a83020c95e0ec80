import { Suspense } from 'react'
import { useFileText } from '../../api/bytes.ts'
import { useStatus } from '../../api/collections.ts'
import { nameOf, type Place, uriOf } from '../../api/place.ts'
import { type Entry, problemOf, useDocument } from '../../api/places.ts'
import { SidePanel } from '../../frame/side.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ageOf, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { lazyPart } from '../../ui/part.ts'
import { ContextSide } from '../descriptions/ContextSide.tsx'
import { kindOf } from '../preview/kinds.tsx'

const Outline = lazyPart(() => import('../../ui/markdown/Outline.tsx').then(({ Outline }) => Outline))

const LOOK = 'grid-cols-[minmax(0,1fr)] gap-y-0 [&_dd]:pb-2.5 [&_dt]:text-xs'

/** Two panels: facts about a place, and the context that an agent gets there. */
export function Details({ place, entry }: { readonly place: Place; readonly entry?: Entry | undefined }) {
  const address = (
    <span className="flex items-start gap-1">
      <code className="min-w-0 flex-1">{uriOf(place)}</code>
      <span className="-my-1">
        <Copy text={uriOf(place)} label="Copy the address" />
      </span>
    </span>
  )
  return (
    <>
      <SidePanel id="details" title="Details">
        <div className="stack gap-4 p-4">
          <div>
            <Facts facts={[['Address for agents', address]]} className={LOOK} />
            {entry ? <FileFacts place={place} entry={entry} /> : <FolderFacts place={place} />}
          </div>
          {entry && kindOf(nameOf(place)) === 'markdown' && (
            <Suspense>
              <FileOutline place={place} />
            </Suspense>
          )}
        </div>
      </SidePanel>
      <ContextSide place={place} />
    </>
  )
}

function FileOutline({ place }: { readonly place: Place }) {
  const { data } = useFileText(place)
  return <Outline text={data?.text?.text ?? ''} className="border-t border-line pt-3" />
}

function FileFacts({ place, entry }: { readonly place: Place; readonly entry: Entry }) {
  const { data } = useDocument(place, entry.isIndexed)
  const { size, modifiedAt } = entry
  return (
    <Facts
      facts={[
        ['Index', problemOf(entry)],
        ['Title', data?.title === nameOf(place) ? undefined : data?.title],
        ['Size', size === undefined ? undefined : sizeOf(size)],
        ['Changed', modifiedAt && `${momentOf(modifiedAt)} (${ageOf(modifiedAt)})`],
        ['Lines', data && numberOf(data.lines.total)],
        ['Version', data && <code key="version">{data.docid}</code>],
      ]}
      className={LOOK}
    />
  )
}

function FolderFacts({ place }: { readonly place: Place }) {
  const { data } = useStatus()
  const collection = data?.collections.find(({ name }) => name === place.collection)
  if (!collection) return null
  const { root, documents, bytes, indexedAt, patterns, skipped = 0 } = collection
  const isRoot = place.path === ''
  const leftOut = skipped > 0 ? ` (${numberOf(skipped)} files left out)` : ''
  return (
    <Facts
      facts={[
        ['Folder', <code key="folder">{isRoot ? root : `${root}/${place.path}`}</code>],
        ['Contents', isRoot ? `${numberOf(documents)} documents, ${sizeOf(bytes)}${leftOut}` : undefined],
        ['Last indexed', indexedAt && momentOf(indexedAt)],
        ['Only files that match', isRoot && patterns.length > 0 && <code key="patterns">{patterns.join(', ')}</code>],
      ]}
      className={LOOK}
    />
  )
}
