import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { placeOf } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { counted, numberOf } from '../../ui/format.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import { type HitState, hitLink } from '../../ui/text-places.ts'
import { Preview } from '../preview/Preview.tsx'
import { Hit } from './Hit.tsx'
import { MOST_RESULTS, passagesOf, type Result } from './search-request.ts'
import type { ReadSnippet } from './useSnippetReader.ts'

export function hitLinks(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-result]') ?? [])]
}

interface HitsProps {
  readonly reader: ReadSnippet
  readonly list: RefObject<HTMLOListElement | null>
  readonly first: Answer<'search'>
  readonly hits: readonly Result[]
  /** Others are on their way. */
  readonly isOld: boolean
  readonly isWide: boolean
  readonly more: false | { readonly show: () => void; readonly isComing: boolean }
}

/** How long a hit is pointed at before its document is shown, in milliseconds. */
const POINTED = 120

/** The hits and, where there is room, the document of one of them. */
export function Hits({ reader, first, hits, isOld, isWide, list, more }: HitsProps) {
  const [pointed, point] = useState<string>()
  const chosen = useDebounced(pointed, POINTED)
  const current = hits.find(({ uri }) => uri === chosen) ?? hits[0]
  const foundAt = useMemo(() => passageFinder(hits), [hits])
  return (
    <>
      <div className="min-w-0 flex-1 lg:overflow-y-auto">
        <FoundStatus answer={first} shown={hits.length} />
        <ol ref={list} onKeyDown={onArrows} className={isOld ? 'opacity-70' : ''}>
          {hits.map((hit) => (
            <Hit
              key={hit.uri}
              hit={hit}
              found={foundAt(hit)}
              isCurrent={hit === current}
              onPoint={() => point(hit.uri)}
              reader={reader}
            />
          ))}
        </ol>
        {!more && hits.length >= MOST_RESULTS && first.total > hits.length && (
          <p className="p-4 text-sm text-ink-2">
            These are the best {numberOf(MOST_RESULTS)} of {numberOf(first.total)}. Use the filters or more words to see
            others.
          </p>
        )}
        {more && (
          <Button size="md" className="m-4" disabled={more.isComing} onClick={more.show}>
            Show more
          </Button>
        )}
      </div>
      {isWide && current && (
        <div className="min-w-0 flex-1 border-l border-line">
          <HitPreview hit={current} found={foundAt(current)} />
        </div>
      )}
    </>
  )
}

/** Hits whose passages the history keeps: its entries are small. */
const MOST_IN_HISTORY = 200

/** Finds the first passage of a hit among those of all hits. */
function passageFinder(all: readonly Result[]): (hit: Result) => HitState {
  const kept = all.slice(0, MOST_IN_HISTORY)
  const hits = passagesOf(kept)
  const firsts = new Map<Result, number>()
  let at = 0
  for (const hit of kept) {
    firsts.set(hit, at)
    at += 1 + (hit.sections?.length ?? 0)
  }
  return (hit) => {
    const first = firsts.get(hit)
    return first === undefined ? { hits: passagesOf([hit]), at: 0 } : { hits, at: first }
  }
}

/** Arrow keys lead from hit to hit; from the first one up to the field. */
function onArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = hitLinks(event.currentTarget)
  const next = links.indexOf(document.activeElement as HTMLElement) + step
  if (next < 0) document.querySelector<HTMLElement>('main input[type=search]')?.focus()
  else links[next]?.focus()
}

interface FoundStatusProps {
  readonly answer: Answer<'search'>
  /** Results of all pages. */
  readonly shown: number
}

/** How many were found, and what to know about it. */
function FoundStatus({ answer: { total, mode, degraded, notices, facets }, shown }: FoundStatusProps) {
  const how = { lexical: 'by words', vector: 'by meaning', hybrid: 'by words and by meaning' }[mode]
  return (
    <div role="status" className="px-4 pt-2 pb-1 text-xs text-ink-3 tabular-nums">
      {shown === 0 ? (
        <p className="py-4 text-base text-ink-2">Nothing was found.</p>
      ) : (
        <p>
          {shown < total ? `${numberOf(shown)} of ${counted(total, 'document')}` : counted(total, 'document')}, {how}
          {(facets?.counted ?? 0) >= MOST_RESULTS && `; the filters count the best ${numberOf(MOST_RESULTS)}`}
        </p>
      )}
      {degraded.map((notice) => (
        <p key={notice} className="text-warn">
          {notice}
        </p>
      ))}
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  )
}

/** The document of a hit, beside the hits: opened where the words stand. */
function HitPreview({ hit, found }: { readonly hit: Result; readonly found: HitState }) {
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
