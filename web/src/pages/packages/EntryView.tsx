import { Download, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import type { Child } from '../../api/packages.ts'
import type { Place } from '../../api/place.ts'
import { buttonLook, IconButton } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Preview } from '../preview/Preview.tsx'
import { nameOf, type PackagePlace } from './usePackageAt.ts'

interface EntryViewProps {
  readonly place: PackagePlace
  /** The entry, in the revision that is shown. */
  readonly entry: Place
  /** What the listing says of it; absent where another folder is listed. */
  readonly child: Child | undefined
}

/** One entry: what the manifest says of it, and what it holds. */
export function EntryView({ place: { go }, entry, child }: EntryViewProps) {
  const { path } = entry
  return (
    <section aria-label={nameOf(path)} className="flex min-w-0 flex-1 flex-col border-line lg:border-l">
      <header className="flex min-h-9 shrink-0 items-center gap-2 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 py-1 font-mono wrap-anywhere text-xs font-medium">
          <Name text={path} />
        </h2>
        <a href={bytesOf(entry)} download={nameOf(path)} className={buttonLook({ look: 'quiet', size: 'sm' })}>
          <Download aria-hidden />
          Save
        </a>
        <IconButton label="Close the entry" onClick={() => go({ entry: undefined })}>
          <X />
        </IconButton>
      </header>
      {child && <Facts child={child} />}
      <Preview key={path} place={entry} />
    </section>
  )
}

function Facts({ child: { size, hash, physicalKey, userMeta } }: { readonly child: Child }) {
  return (
    <Scroll label="About the entry" className="max-h-[40%] shrink-0 overflow-y-auto border-y border-line">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-2 text-xs">
        <Fact name="Size">{size === null || size === undefined ? 'not known' : sizeOf(size)}</Fact>
        {hash && (
          <Fact name={hash.type}>
            <span className="flex items-center gap-1">
              <code className="min-w-0 font-mono wrap-anywhere">{hash.value}</code>
              <Copy text={hash.value} label="Copy the hash" />
            </span>
          </Fact>
        )}
        {physicalKey !== undefined && (
          <Fact name="Stored at">
            <Name className="font-mono wrap-anywhere" text={physicalKey} />
          </Fact>
        )}
        {userMeta !== null && userMeta !== undefined && (
          <Fact name="Metadata">
            <JsonValue value={userMeta} />
          </Fact>
        )}
      </dl>
    </Scroll>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="py-0.5 text-ink-3">{name}</dt>
      <dd className="min-w-0 py-0.5">{children}</dd>
    </>
  )
}
