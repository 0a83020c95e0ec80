import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { TextButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { legible } from '../../ui/controls.ts'
import { type Piece, plainPieces } from '../../ui/marked-pieces.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { type HitState, hitLink } from '../../ui/text-places.ts'
import { kindOf } from '../preview/kinds.tsx'
import type { Result } from './search-request.ts'
import type { ReadSnippet } from './useSnippetReader.ts'

interface HitProps {
  readonly hit: Result
  /** The passages of all hits, and which of them is the first one of this hit. */
  readonly found: HitState
  /** Its document is shown beside the hits. */
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly reader: ReadSnippet
}

/** A document that was found: where it is, the passages that matter, and what its place is for. */
export function Hit({ hit, found, isCurrent, onPoint, reader }: HitProps) {
  const { collection, path, title, lines, contexts, headings, sections = [] } = hit
  const [isOpen, setOpen] = useState(false)
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
            <span className="line-clamp-2 wrap-anywhere">
              <PlainText text={nearest.text ?? ''} />
            </span>
          </span>
        )}
      </Link>
      {isOpen && (
        <ul aria-label={`More in ${title}`} className="mt-1 stack max-w-3xl gap-1.5 border-l-2 border-line pl-3">
          {sections.map((section, at) => (
            <li key={section.lines.start}>
              <Link
                data-result
                {...hitLink({ ...found, at: found.at + 1 + at })}
                className="stack rounded-sm text-xs text-ink-3 hover:bg-raised"
              >
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

function linesText({ start, end }: Result['lines']): string {
  return end > start ? `lines ${start}–${end}` : `line ${start}`
}

interface SnippetProps {
  readonly path: string
  readonly passage: Pick<Result, 'snippet' | 'highlights'>
  readonly reader: ReadSnippet
}

/** Prose as it is read; code as it is written. */
function Snippet({ path, passage: { snippet, highlights }, reader }: SnippetProps) {
  const isProse = ['markdown', 'text', 'document'].includes(kindOf(path))
  const pieces = useMemo(
    () => (isProse ? reader(snippet, highlights) : plainPieces(snippet, highlights)),
    [isProse, reader, snippet, highlights],
  )
  const className = isProse ? 'text-sm whitespace-pre-line' : 'font-mono text-xs whitespace-pre-wrap'
  return <Pieces pieces={pieces} className={className} />
}

function Pieces({ pieces, className }: { readonly pieces: readonly Piece[]; readonly className: string }) {
  return (
    <span className={cn('mt-1 line-clamp-4 leading-5 wrap-anywhere text-ink-2', className)}>
      {pieces.map(({ text, isMarked }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other.
        isMarked ? <mark key={at}>{legible(text)}</mark> : legible(text),
      )}
    </span>
  )
}
