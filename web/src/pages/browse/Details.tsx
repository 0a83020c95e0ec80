import { type ReactNode, Suspense } from 'react'
import { useFileText } from '../../api/bytes.ts'
import { useStatus } from '../../api/collections.ts'
import { nameOf, type Place, uriOf } from '../../api/place.ts'
import { type Entry, problemOf, useDocument } from '../../api/places.ts'
import { SidePanel } from '../../frame/side.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { ageOf, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { lazyPart } from '../../ui/part.ts'
import { ContextSide } from '../descriptions/ContextSide.tsx'
import { kindOf } from '../preview/kinds.tsx'

const Outline = lazyPart(() => import('../../ui/markdown/Outline.tsx').then(({ Outline }) => Outline))

/** Panels with what is known of a place, and what an agent would see there. */
export function Details({ place, entry }: { readonly place: Place; readonly entry?: Entry | undefined }) {
  return (
    <>
      <SidePanel id="details" title="Details">
        <div className="stack gap-4 p-4">
          <dl className="stack gap-2.5">
            <Fact name="Address for agents">
              <span className="flex items-start gap-1">
                <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{uriOf(place)}</code>
                <span className="-my-1">
                  <Copy text={uriOf(place)} label="Copy the address" />
                </span>
              </span>
            </Fact>
            {entry ? <OfFile place={place} entry={entry} /> : <OfFolder place={place} />}
          </dl>
          {entry && kindOf(nameOf(place)) === 'markdown' && (
            <Suspense>
              <OutlineOf place={place} />
            </Suspense>
          )}
        </div>
      </SidePanel>
      <ContextSide place={place} />
    </>
  )
}

function OutlineOf({ place }: { readonly place: Place }) {
  const { data } = useFileText(place)
  return <Outline text={data?.text?.text ?? ''} className="border-t border-line pt-3" />
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="tabular-nums wrap-anywhere">{children}</dd>
    </div>
  )
}

function OfFile({ place, entry }: { readonly place: Place; readonly entry: Entry }) {
  const { data } = useDocument(place, entry.isIndexed)
  const problem = problemOf(entry)
  return (
    <>
      {problem !== undefined && <Fact name="Index">{problem}</Fact>}
      {data && data.title !== nameOf(place) && <Fact name="Title">{data.title}</Fact>}
      {entry.size !== undefined && <Fact name="Size">{sizeOf(entry.size)}</Fact>}
      {entry.modifiedAt !== undefined && (
        <Fact name="Changed">
          {momentOf(entry.modifiedAt)} <span className="text-ink-3">({ageOf(entry.modifiedAt)})</span>
        </Fact>
      )}
      {data && <Fact name="Lines">{numberOf(data.lines.total)}</Fact>}
      {data && (
        <Fact name="Version">
          <code className="font-mono text-xs">{data.docid}</code>
        </Fact>
      )}
    </>
  )
}

function OfFolder({ place }: { readonly place: Place }) {
  const { data } = useStatus()
  const collection = data?.collections.find(({ name }) => name === place.collection)
  if (!collection) return null
  const { root, documents, bytes, indexedAt, patterns, skipped = 0 } = collection
  return (
    <>
      <Fact name="Folder">
        <code className="font-mono text-xs">{place.path === '' ? root : `${root}/${place.path}`}</code>
      </Fact>
      {place.path === '' && (
        <Fact name="Contents">
          {numberOf(documents)} documents, {sizeOf(bytes)}
          {skipped > 0 && <span className="text-ink-3"> ({numberOf(skipped)} files left out)</span>}
        </Fact>
      )}
      {indexedAt !== undefined && <Fact name="Last indexed">{momentOf(indexedAt)}</Fact>}
      {place.path === '' && patterns.length > 0 && (
        <Fact name="Only files that match">
          <code className="font-mono text-xs">{patterns.join(', ')}</code>
        </Fact>
      )}
    </>
  )
}
