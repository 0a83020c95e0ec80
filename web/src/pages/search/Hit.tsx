import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { cn } from '../../ui/cn.ts'
import { legible } from '../../ui/controls.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { kindOf } from '../preview/kinds.tsx'
import { linkTo, type Result } from './search-request.ts'
import { readablePieces } from './snippet.ts'

interface HitProps {
  readonly hit: Result
  /** Its document is shown beside the hits. */
  readonly isCurrent: boolean
  readonly onPoint: () => void
}

/** A document that was found: where it is, the lines that matter, and what its place is for. */
export function Hit({ hit, isCurrent, onPoint }: HitProps) {
  const { collection, path, title, lines, contexts, headings } = hit
  const nearest = contexts.findLast(({ scope }) => scope !== 'global')
  return (
    <li
      onFocus={onPoint}
      onPointerEnter={onPoint}
      className={cn(
        'border-b border-line px-4 py-2.5 focus-within:bg-surface hover:bg-surface',
        isCurrent && 'lg:bg-selected lg:focus-within:bg-selected lg:hover:bg-selected',
      )}
    >
      <Link data-hit {...linkTo(hit)} className="stack group max-w-3xl gap-0.5 rounded-sm outline-offset-4">
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
          <span className="whitespace-nowrap tabular-nums">
            line {lines.start}
            {lines.end > lines.start && `–${lines.end}`}
          </span>
        </span>
        <Snippet hit={hit} />
        {nearest?.text !== undefined && (
          <span className="mt-1 flex min-w-0 items-baseline gap-2 text-xs text-ink-2">
            <span aria-hidden className="size-2 shrink-0 rounded-[2px] bg-kind-path" />
            <span className="line-clamp-2 wrap-anywhere">
              <PlainText text={nearest.text ?? ''} />
            </span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** The lines as they are read; code as it is written. */
function Snippet({ hit: { path, snippet, highlights } }: Pick<HitProps, 'hit'>) {
  const kind = kindOf(path)
  const pieces = useMemo(() => readablePieces(snippet, highlights, kind === 'markdown'), [snippet, highlights, kind])
  return (
    <span
      className={cn(
        'mt-1 line-clamp-4 leading-5 wrap-anywhere text-ink-2',
        kind === 'code' ? 'font-mono text-xs whitespace-pre-wrap' : 'text-sm whitespace-pre-line',
      )}
    >
      {pieces.map(({ text, isMarked }, at) =>
        isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other.
          <mark key={at}>{legible(text)}</mark>
        ) : (
          legible(text)
        ),
      )}
    </span>
  )
}
