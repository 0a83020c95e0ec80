import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { legible } from '../../ui/controls.ts'
import { headingId } from '../../ui/markdown-text.ts'
import type { Result } from './asked.ts'

/** Lines of a snippet that are shown. */
const LINES = 4

/** A document that was found: where it is, the lines that matter, and what its place is for. */
export function Hit({ hit }: { readonly hit: Result }) {
  const { collection, path, title, snippet, highlights, lines, contexts, headings } = hit
  const nearest = contexts.findLast(({ scope }) => scope !== 'global')
  return (
    <li className="border-b border-line px-4 py-2.5 focus-within:bg-surface hover:bg-surface">
      <Link
        data-hit
        to="/browse/$collection/$"
        params={{ collection, _splat: path }}
        search={{ lines: `${lines.start}-${lines.end}`, view: 'preview' } as never}
        hash={headingId(headings.at(-1) ?? '')}
        className="group grid max-w-3xl gap-0.5 rounded-sm outline-offset-4"
      >
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="truncate text-base font-medium text-accent group-hover:underline">{title}</bdi>
          {headings.length > 0 && headings.at(-1) !== title && (
            <bdi className="truncate text-xs text-ink-3">› {headings.at(-1)}</bdi>
          )}
        </span>
        <span className="flex min-w-0 gap-2 text-xs text-ink-3">
          <bdi className="shrink-0 font-medium text-ink-2">{collection}</bdi>
          <bdi className="truncate font-mono">{path}</bdi>
          <span className="shrink-0 tabular-nums">
            line {lines.start}
            {lines.end > lines.start && `–${lines.end}`}
          </span>
        </span>
        <span className="mt-1 line-clamp-4 text-sm leading-5 wrap-anywhere whitespace-pre-line text-ink-2">
          {marked(snippet, highlights)}
        </span>
        {nearest && (
          <span className="mt-1 flex min-w-0 items-baseline gap-2 text-xs text-ink-2">
            <span aria-hidden className="size-2 shrink-0 rounded-[2px] bg-kind-path" />
            <span className="truncate">{nearest.text}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** The first lines of a snippet that hold something, with what was looked for marked. */
function marked(snippet: string, highlights: Result['highlights']): ReactNode[] {
  const lines = snippet.split('\n', 2 * LINES).filter((line) => line.trim() !== '')
  const last = lines.slice(0, LINES).at(-1) ?? ''
  const end = snippet.indexOf(last) + last.length
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end: stop } of highlights) {
    if (start < at || stop > end) continue
    parts.push(shown(snippet.slice(at, start)), <mark key={start}>{shown(snippet.slice(start, stop))}</mark>)
    at = stop
  }
  return [...parts, shown(snippet.slice(at, end))]
}

function shown(text: string): string {
  return legible(text.replace(/\n\s*\n/g, '\n'))
}
