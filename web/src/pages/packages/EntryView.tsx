import { Download, X } from 'lucide-react'
import { bytesOf } from '../../api/bytes.ts'
import type { Child } from '../../api/packages.ts'
import type { Place } from '../../api/place.ts'
import { buttonLook, IconButton } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { Facts } from '../../ui/Facts.tsx'
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
      {child && <AboutEntry child={child} />}
      <Preview key={path} place={entry} />
    </section>
  )
}

function AboutEntry({ child: { size, hash, physicalKey, userMeta } }: { readonly child: Child }) {
  const sum = hash && (
    <span className="flex items-center gap-1">
      <code className="min-w-0">{hash.value}</code>
      <Copy text={hash.value} label="Copy the hash" />
    </span>
  )
  const hasMeta = userMeta !== null && userMeta !== undefined
  return (
    <Scroll label="About the entry" className="max-h-[40%] shrink-0 overflow-y-auto border-y border-line">
      <Facts
        facts={[
          ['Size', size === null || size === undefined ? 'not known' : sizeOf(size)],
          [hash?.type ?? 'Hash', sum],
          ['Stored at', physicalKey && <Name key="key" className="font-mono" text={physicalKey} />],
          ['Metadata', hasMeta ? <JsonValue key="meta" value={userMeta} /> : undefined],
        ]}
        className="items-center gap-x-3 px-4 py-2 text-xs"
      />
    </Scroll>
  )
}
