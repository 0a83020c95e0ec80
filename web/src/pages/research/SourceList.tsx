import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReportSource } from '../../api/sessions.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { nameOf } from './evidence.ts'
import { Passage } from './Passage.tsx'

interface SourceListProps {
  readonly session: string
  readonly sources: readonly ReportSource[]
  readonly shown: number | undefined
  readonly onShow: (source: number | undefined) => void
}

/** What a report rests on, in the order of its numbers; the one that is shown has its words marked. */
export function SourceList({ session, sources, shown, onShow }: SourceListProps) {
  return (
    <Scroll label="Sources" className="border-line p-4 max-lg:border-t lg:overflow-y-auto lg:border-l print:hidden">
      <h2 className="text-base font-semibold">Sources</h2>
      <ol className="mt-2 stack gap-1">
        {sources.map((source, at) => (
          <Source
            key={source.ref}
            session={session}
            source={source}
            number={at + 1}
            isShown={at + 1 === shown}
            onToggle={() => onShow(at + 1 === shown ? undefined : at + 1)}
          />
        ))}
      </ol>
    </Scroll>
  )
}

interface SourceProps {
  readonly session: string
  readonly source: ReportSource
  readonly number: number
  readonly isShown: boolean
  readonly onToggle: () => void
}

function Source({ session, source, number, isShown, onToggle }: SourceProps) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  return (
    <li ref={ref} className="text-sm">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={onToggle}
        className="flex w-full items-baseline gap-2 rounded-sm py-1 text-left hover:bg-surface"
      >
        <span className="w-6 shrink-0 text-right text-xs text-ink-3 tabular-nums">{number}</span>
        <span className="min-w-0 flex-1">
          <span className="block wrap-anywhere">
            <PlainText text={source.file ?? source.title} />
          </span>
          <span className="block wrap-anywhere text-xs text-ink-3">
            {nameOf(source.kind)}
            {whereIn(source)}
          </span>
        </span>
      </button>
      {isShown && (
        <div className="mb-2 ml-8 border-l-2 border-accent pl-3">
          <Passage session={session} source={source} />
          <Opened source={source} />
        </div>
      )}
    </li>
  )
}

function whereIn({ page, lines, headings = [] }: ReportSource): string {
  const place = page !== undefined ? `, page ${page}` : lines ? `, ${linesOf(lines)}` : ''
  return headings.length > 0 ? `${place}, under “${headings.join(' › ')}”` : place
}

function linesOf({ start, end }: NonNullable<ReportSource['lines']>): string {
  return start === end ? `line ${start}` : `lines ${start}–${end}`
}

/** The way to where it stands, where that is a place of its own. */
function Opened({ source: { ref } }: { readonly source: ReportSource }) {
  const [, collection, path, lines] = /^ambit:\/\/([^/]+)\/([^#]*)(?:#L(\d+(?:-L\d+)?))?$/.exec(ref) ?? []
  if (collection !== undefined && path !== undefined) {
    return (
      <Link
        to="/browse/$collection/$"
        params={{ collection: decodeURIComponent(collection), _splat: decodeURIComponent(path) }}
        search={{ ...(lines && { lines: lines.replace('L', '') }) } as never}
        className="text-xs text-accent underline"
      >
        Open the document
      </Link>
    )
  }
  if (!/^https?:/.test(ref) || !URL.canParse(ref)) return null
  return (
    <a
      href={ref}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1 text-xs text-accent underline [&_svg]:size-3"
    >
      {new URL(ref).host}
      <ExternalLink aria-hidden />
    </a>
  )
}
