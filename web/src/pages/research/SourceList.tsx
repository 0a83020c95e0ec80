import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { fileTextQuery, type ReportSource, sessionQuery } from '../../api/sessions.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { evidenceName } from './Tree.tsx'

interface SourceListProps {
  readonly session: string
  readonly sources: readonly ReportSource[]
  readonly shown: number | undefined
  readonly onShow: (source: number | undefined) => void
}

/** The sources of a report, in the order of their numbers; the open one with its passage. */
export function SourceList({ session, sources, shown, onShow }: SourceListProps) {
  return (
    <Scroll
      label="Sources"
      className="border-line bg-surface p-3 @max-4xl:border-t @4xl:overflow-y-auto @4xl:border-l print:hidden"
    >
      <h2 className="px-1 text-base font-semibold">Sources</h2>
      <ol className="mt-2 stack gap-2">
        {sources.map((source, at) => (
          <SourceCard
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

interface SourceCardProps {
  readonly session: string
  readonly source: ReportSource
  readonly number: number
  readonly isShown: boolean
  readonly onToggle: () => void
}

function SourceCard({ session, source, number, isShown, onToggle }: SourceCardProps) {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  return (
    <li ref={ref} className="rounded-md border border-line bg-canvas text-sm">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={onToggle}
        className="flex w-full items-baseline gap-2 rounded-md px-3 py-2 text-left hover:bg-raised"
      >
        <span className="shrink-0 text-xs text-ink-3 tabular-nums">{number}</span>
        <span className="min-w-0 flex-1">
          <span className="block font-medium wrap-anywhere">
            <PlainText text={source.file ?? source.title} />
          </span>
          <span className="block text-xs wrap-anywhere text-ink-3">{describeSource(source)}</span>
        </span>
      </button>
      {isShown && (
        <div className="stack gap-2 border-t border-line px-3 py-2">
          <Passage session={session} source={source} />
          <SourceLink source={source} />
        </div>
      )}
    </li>
  )
}

/** `files, page 3, under “Costs › 2026”`. */
function describeSource({ kind, page, lines, headings = [] }: ReportSource): string {
  const { start, end } = lines ?? {}
  const range = start === end ? `line ${start}` : `lines ${start}–${end}`
  const place = page !== undefined ? `, page ${page}` : lines ? `, ${range}` : ''
  const section = headings.length > 0 ? `, under “${headings.join(' › ')}”` : ''
  return `${evidenceName(kind)}${place}${section}`
}

/** Leads to where the source stands, if that has an address. */
function SourceLink({ source: { ref } }: { readonly source: ReportSource }) {
  const look = 'inline-flex items-center gap-1 justify-self-start text-xs text-accent underline [&_svg]:size-3'
  const [, collection, path, lines] = /^ambit:\/\/([^/]+)\/([^#]*)(?:#L(\d+(?:-L\d+)?))?$/.exec(ref) ?? []
  if (collection !== undefined && path !== undefined) {
    return (
      <Link
        to="/browse/$collection/$"
        params={{ collection: decodeURIComponent(collection), _splat: decodeURIComponent(path) }}
        search={{ ...(lines && { lines: lines.replace('L', ''), view: 'preview' }) } as never}
        className={look}
      >
        Open the document
      </Link>
    )
  }
  if (!/^https?:/.test(ref) || !URL.canParse(ref)) return null
  return (
    <a href={ref} target="_blank" rel="noopener noreferrer" className={look}>
      {new URL(ref).host}
      <ExternalLink aria-hidden />
    </a>
  )
}

/** Characters of a file that are shown before and after the passage. */
const AROUND = 4000

/** The cited passage, marked; of a file with the text around it. */
function Passage({ session, source: { text, file, offsets } }: Pick<SourceCardProps, 'session' | 'source'>) {
  const isOfFile = file !== undefined && offsets !== undefined
  const { data: files } = useQuery({ ...sessionQuery(session), enabled: isOfFile, select: (one) => one.files })
  const id = files?.find(({ alias }) => alias === file)?.id
  const { data: whole = '' } = useQuery({ ...fileTextQuery(session, id ?? ''), enabled: id !== undefined })
  const mark = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text around it comes a moment later, and moves it.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'nearest' })
  }, [whole])
  const { start = 0, end = 0 } = offsets ?? {}
  return (
    <Scroll label="Cited passage" className="max-h-72 overflow-y-auto whitespace-pre-line wrap-anywhere text-ink-3">
      <PlainText text={whole.slice(Math.max(0, start - AROUND), start)} />
      <mark ref={mark} className="text-ink">
        <PlainText text={text} />
      </mark>
      <PlainText text={whole.slice(end, end + AROUND)} />
    </Scroll>
  )
}
