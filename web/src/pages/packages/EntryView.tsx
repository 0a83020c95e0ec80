import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { asked } from '../../api/client.ts'
import { bytesOf, type Child, placeOf } from '../../api/packages.ts'
import { buttonLook, IconButton } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { Skeleton, Trouble } from '../../ui/State.tsx'
import { nameOf, type PackagePlace } from './usePackageAt.ts'

interface EntryViewProps {
  readonly place: PackagePlace
  readonly path: string
  /** What the listing says of it; absent where another folder is listed. */
  readonly child: Child | undefined
}

/** One entry: what the manifest says of it, and what it holds. */
export function EntryView({ place: { at, go }, path, child }: EntryViewProps) {
  const place = placeOf(at)
  return (
    <section aria-label={nameOf(path)} className="flex min-w-0 flex-1 flex-col overflow-y-auto border-line lg:border-l">
      <header className="flex min-h-9 shrink-0 items-center gap-2 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-mono text-xs font-medium">
          <bdi>{path}</bdi>
        </h2>
        <a href={bytesOf(place, path)} download={nameOf(path)} className={buttonLook({ look: 'quiet', size: 'sm' })}>
          <Download aria-hidden />
          Save
        </a>
        <IconButton label="Close the entry" onClick={() => go({ entry: undefined })}>
          <X />
        </IconButton>
      </header>
      {child && <Facts child={child} />}
      <Preview place={place} path={path} size={child?.size ?? null} />
    </section>
  )
}

function Facts({ child: { size, hash, physicalKey, userMeta } }: { readonly child: Child }) {
  return (
    <dl className="grid shrink-0 grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 border-y border-line px-4 py-2 text-xs">
      <Fact name="Size">{size === null || size === undefined ? 'not known' : sizeOf(size)}</Fact>
      {hash && (
        <Fact name={hash.type}>
          <span className="flex items-center gap-1">
            <code className="truncate font-mono">{hash.value}</code>
            <Copy text={hash.value} label="Copy the hash" />
          </span>
        </Fact>
      )}
      {physicalKey !== undefined && (
        <Fact name="Kept at">
          <bdi className="font-mono wrap-anywhere">{physicalKey}</bdi>
        </Fact>
      )}
      {userMeta !== null && userMeta !== undefined && (
        <Fact name="Metadata">
          <JsonValue value={userMeta} />
        </Fact>
      )}
    </dl>
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

/** Bytes of the largest text that is shown. */
const MOST = 512 * 1024

const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i

interface PreviewProps {
  readonly place: string
  readonly path: string
  readonly size: number | null
}

function Preview({ place, path, size }: PreviewProps) {
  if (IMAGE.test(path)) {
    return (
      <div className="p-4">
        <img
          src={bytesOf(place, path)}
          alt={nameOf(path)}
          className="max-w-full rounded-sm border border-line bg-surface"
        />
      </div>
    )
  }
  if (size !== null && size > MOST) return <p className="px-4 py-3 text-ink-3">It is too large to be shown here.</p>
  return <TextPreview place={place} path={path} />
}

function TextPreview({ place, path }: Omit<PreviewProps, 'size'>) {
  const { data, error } = useQuery(asked('packages.cat', { package: place, path, maxBytes: MOST }))
  if (!data) return error ? <Trouble error={error} className="py-3" /> : <Skeleton rows={4} />
  return (
    <pre className="px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
      <PlainText text={data.text} />
    </pre>
  )
}
