import { Link } from '@tanstack/react-router'
import { placeOf } from '../../api/place.ts'
import { Copy } from '../../ui/Copy.tsx'
import { type HitState, hitLink } from '../../ui/hit-link.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Preview } from '../preview/Preview.tsx'
import type { Result } from './search-request.ts'

/** The document of a hit, beside the hits: opened where the words stand. */
export function HitPreview({ hit, found }: { readonly hit: Result; readonly found: HitState }) {
  const { collection, path, uri, title, lines } = hit
  return (
    <section aria-label="Preview" className="flex h-full min-w-0 flex-col">
      <header className="stack shrink-0 gap-0.5 border-b border-line px-4 py-2">
        <h2 className="text-base font-semibold wrap-anywhere">
          <Link {...hitLink(found)} className="hover:underline">
            <Name text={title} />
          </Link>
        </h2>
        <p className="flex items-center gap-1 text-xs text-ink-3">
          <bdi className="min-w-0 font-mono wrap-anywhere">
            {collection}/{path}
          </bdi>
          <Copy text={uri} label="Copy the address for agents" />
        </p>
      </header>
      <Preview key={uri} place={placeOf(collection, path)} lines={`${lines.start}-${lines.end}`} />
    </section>
  )
}
