import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { placeOf } from '../../api/place.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { legible } from '../../ui/controls.ts'
import { countOf, numberOf } from '../../ui/format.ts'
import { moveFocus, useDebounced } from '../../ui/hooks.ts'
import { plainPieces } from '../../ui/marked-pieces.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { type HitState, hitLink } from '../../ui/text-places.ts'
import { kindOf } from '../preview/kinds.tsx'
import { Preview } from '../preview/Preview.tsx'
import { MOST_RESULTS, passagesOf, type Result } from './search-request.ts'

export function hitLinks(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-result]') ?? [])]
}

interface HitsProps {
  /** Converts a snippet of prose into marked pieces. */
  readonly reader: typeof plainPieces
  readonly list: RefObject<HTMLOListElement | null>
  readonly first: Answer<'search'>
  readonly hits: readonly Result[]
  /** Whether these are the hits of the previous request, while new hits load. */
  readonly isOld: boolean
  readonly isWide: boolean
  readonly more: false | { readonly show: () => void; readonly isLoading: boolean }
}

/** Milliseconds that the pointer rests on a hit before its document is shown. */
const HOVER_MS = 120

/** The hits and, on wide screens, the document of one of them. */
export function Hits({ reader, first, hits, isOld, isWide, list, more }: HitsProps) {
  const [pointed, point] = useState<string>()
  const chosen = useDebounced(pointed, HOVER_MS)
  const current = hits.find(({ uri }) => uri === chosen) ?? hits[0]
  const foundAt = useMemo(() => passageFinder(hits), [hits])
  return (
    <>
      <div className="min-w-0 flex-1 lg:overflow-y-auto">
        <FoundStatus answer={first} shown={hits.length} />
        <ol ref={list} onKeyDown={onArrows} className={isOld ? 'opacity-70' : ''}>
          {hits.map((hit) => (
            <Hit key={hit.uri} {...{ hit, reader }} found={foundAt(hit)} isCurrent={hit === current} onPoint={point} />
          ))}
        </ol>
        {!more && hits.length >= MOST_RESULTS && first.total > hits.length && (
          <p className="p-4 text-sm text-ink-2">
            These are the best {numberOf(MOST_RESULTS)} of {numberOf(first.total)}. Use the filters or more words to see
            others.
          </p>
        )}
        {more && (
          <Button size="md" className="m-4" disabled={more.isLoading} onClick={more.show}>
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

/** Maximum number of hits whose passages the browser's history stores, because its entries must be small. */
const MOST_IN_HISTORY = 200

/** Returns a function that finds the first passage of a hit among the passages of all hits. */
function passageFinder(all: readonly Result[]): (hit: Result) => HitState {
  const stored = all.slice(0, MOST_IN_HISTORY)
  const hits = passagesOf(stored)
  const firstIndexes = new Map(stored.map((hit, at) => [hit, passagesOf(stored.slice(0, at)).length]))
  return (hit) => {
    const at = firstIndexes.get(hit)
    return at === undefined ? { hits: passagesOf([hit]), at: 0 } : { hits, at }
  }
}

/** Arrow keys move from hit to hit; up from the first hit, to the field. */
function onArrows(event: KeyboardEvent<HTMLElement>): void {
  const isAbove = moveFocus(event, hitLinks(event.currentTarget)) === -1
  if (isAbove) document.querySelector<HTMLElement>('main input[type=search]')?.focus()
}

/** The number of found and shown hits, and notices. */
function FoundStatus({ answer, shown }: { readonly answer: Answer<'search'>; readonly shown: number }) {
  const { total, mode, degraded, notices, facets } = answer
  const how = { lexical: 'by words', vector: 'by meaning', hybrid: 'by words and by meaning' }[mode]
  return (
    <div role="status" className="px-4 pt-2 pb-1 text-xs text-ink-3 tabular-nums">
      {shown === 0 ? (
        <p className="py-4 text-base text-ink-2">Nothing was found.</p>
      ) : (
        <p>
          {shown < total ? `${numberOf(shown)} of ${countOf(total, 'document')}` : countOf(total, 'document')}, {how}
          {(facets?.counted ?? 0) >= MOST_RESULTS && `; the filters count the best ${numberOf(MOST_RESULTS)}`}
        </p>
      )}
      {[...degraded, ...notices].map((notice, at) => (
        <p key={notice} className={at < degraded.length ? 'text-warn' : ''}>
          {notice}
        </p>
      ))}
    </div>
  )
}

/** The document of a hit, beside the hits, opened at the matching words. */
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

interface HitProps {
  readonly hit: Result
  /** The passages of all hits, and the index of the first passage of this hit. */
  readonly found: HitState
  /** Whether the document of the hit is shown beside the hits. */
  readonly isCurrent: boolean
  readonly onPoint: (uri: string) => void
  readonly reader: HitsProps['reader']
}

/** A found document: its place, its best passages, and the nearest description. */
function Hit({ hit, found, isCurrent, onPoint, reader }: HitProps) {
  const { collection, path, title, lines, contexts, headings, sections = [] } = hit
  const [isOpen, setOpen] = useState(false)
  const nearest = contexts.findLast(({ scope }) => scope !== 'global')
  return (
    <li
      onFocus={() => onPoint(hit.uri)}
      onPointerEnter={() => onPoint(hit.uri)}
      className={cn(
        'border-b border-line px-4 py-2.5 focus-within:bg-surface hover:bg-surface',
        isCurrent && 'lg:bg-selected lg:focus-within:bg-selected lg:hover:bg-selected',
      )}
    >
      <Link data-result {...hitLink(found)} className="stack group max-w-3xl gap-0.5 rounded-sm outline-offset-4">
        <span className="wrap-anywhere">
          <Name className="text-base font-medium text-accent group-hover:underline" text={title} />
          {headings.length > 0 && headings.at(-1) !== title && (
            <span className="ml-2 text-xs text-ink-3">
              › <Name text={headings.at(-1)} />
            </span>
          )}
        </span>
        <span className="text-xs wrap-anywhere text-ink-3">
          <Name className="mr-2 font-medium text-ink-2" text={collection} />
          <Name className="mr-2 font-mono" text={path} />
          <span className="whitespace-nowrap tabular-nums">{linesText(lines)}</span>
        </span>
        <Snippet path={path} passage={hit} reader={reader} />
        {nearest?.text !== undefined && (
          <span className="mt-1 flex min-w-0 items-baseline gap-2 text-xs text-ink-2">
            <span aria-hidden className="size-2 shrink-0 rounded-[2px] bg-kind-path" />
            <PlainText as="span" className="line-clamp-2 wrap-anywhere" text={nearest.text ?? ''} />
          </span>
        )}
      </Link>
      {isOpen && (
        <ul aria-label={`More in ${title}`} className="mt-1 stack max-w-3xl gap-1.5 border-l-2 border-line pl-3">
          {sections.map((section, at) => (
            <li key={section.lines.start}>
              <Link data-result {...hitLink({ ...found, at: found.at + 1 + at })} className={SECTION}>
                <span className="wrap-anywhere">
                  <Name text={section.headings.at(-1)} /> · {linesText(section.lines)}
                </span>
                <Snippet path={path} passage={section} reader={reader} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {sections.length > 0 && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="mt-1 text-xs">
          {isOpen ? 'Show the best one only' : `${sections.length} more here`}
        </TextButton>
      )}
    </li>
  )
}

const SECTION = 'stack rounded-sm text-xs text-ink-3 hover:bg-raised'

function linesText({ start, end }: Result['lines']): string {
  return end > start ? `lines ${start}–${end}` : `line ${start}`
}

interface SnippetProps {
  readonly path: string
  readonly passage: Pick<Result, 'snippet' | 'highlights'>
  readonly reader: HitsProps['reader']
}

/** A passage: prose is rendered, code is shown as written. */
function Snippet({ path, passage: { snippet, highlights }, reader }: SnippetProps) {
  const isProse = ['markdown', 'text', 'document'].includes(kindOf(path))
  const pieces = useMemo(
    () => (isProse ? reader(snippet, highlights) : plainPieces(snippet, highlights)),
    [isProse, reader, snippet, highlights],
  )
  const look = isProse ? 'text-sm whitespace-pre-line' : 'font-mono text-xs whitespace-pre-wrap'
  return (
    <span className={cn('mt-1 line-clamp-4 leading-5 wrap-anywhere text-ink-2', look)}>
      {pieces.map(({ text, isMarked }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other key.
        isMarked ? <mark key={at}>{legible(text)}</mark> : legible(text),
      )}
    </span>
  )
}
