import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, ExternalLink, Printer } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { browseAt } from '../../api/place.ts'
import type { Report, ReportSource } from '../../api/sessions.ts'
import { fileTextQuery, reportFile, reportQuery, sessionQuery } from '../../api/sessions.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { countOf } from '../../ui/format.ts'
import { Outline } from '../../ui/markdown/Outline.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { type CitationView, Prose } from '../../ui/Prose.tsx'
import { richText } from '../../ui/rich-text.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { evidenceName } from './Tree.tsx'

/** Formats of downloads. Small screens show the first three. */
const FORMATS = { pdf: 'PDF', docx: 'Word', md: 'Markdown', bib: 'BibTeX', html: 'HTML', json: 'JSON' }

const FORMAT = cn(buttonLook({}), 'max-md:nth-[n+6]:hidden')

const PREFIX = 'report-'

interface ReportViewProps {
  readonly session: string
  /** The number of the open source, from 1; undefined for none. */
  readonly source: number | undefined
  readonly onSource: (source: number | undefined) => void
}

/** A report, with its outline and its sources on the sides. */
export function ReportView({ session, source, onSource }: ReportViewProps) {
  const { data: report, error, refetch } = useQuery(reportQuery(session))
  const text = useRef<HTMLDivElement>(null)
  const citing = useCitationView(report, source, onSource)
  if (!report) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={12} />
  // The question is the title of the page.
  const body = report.markdown.replace(/^# .*\n+/, '')
  return (
    <div className="@container flex min-h-0 flex-1 flex-col print:block">
      <Toolbar report={report} session={session} html={() => (text.current ? richText(text.current) : '')} />
      <div className="min-h-0 flex-1 overflow-y-auto @4xl:grid @4xl:grid-cols-[minmax(0,1fr)_minmax(260px,340px)] @4xl:overflow-hidden @5xl:grid-cols-[200px_minmax(0,1fr)_minmax(260px,360px)] print:block print:overflow-visible">
        <div className="overflow-y-auto p-4 pr-0 text-xs max-lg:hidden @max-5xl:hidden print:hidden">
          <Outline text={body} prefix={PREFIX} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
        <section aria-label="Report" tabIndex={0} className="px-4 py-4 @4xl:overflow-y-auto print:overflow-visible">
          <div ref={text} className="max-w-[70ch]">
            <Prose text={body} citing={citing} prefix={PREFIX} />
          </div>
        </section>
        <SourceList session={session} sources={report.sources} shown={source} onShow={onSource} />
      </div>
    </div>
  )
}

interface ToolbarProps {
  readonly report: Report
  readonly session: string
  readonly html: () => string
}

function Toolbar({ report: { quotes, sources, is_partial, markdown }, session, html }: ToolbarProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-1.5 print:hidden">
      <p className="min-w-40 flex-1 text-xs text-ink-3 tabular-nums">
        {countOf(quotes.proven, 'quotation')} verified
        {quotes.unproven.length > 0 && (
          <span className="text-warn">, {countOf(quotes.unproven.length, 'quotation')} not found in its source</span>
        )}
        , {countOf(sources.length, 'source')}
        {is_partial && <span className="text-warn">; incomplete: the run ended early</span>}
      </p>
      <CopyButton text={markdown} html={html} label="Copy" />
      {Object.entries(FORMATS).map(([format, name]) => (
        <a key={format} href={reportFile(session, format)} download={`report.${format}`} className={FORMAT}>
          <Download aria-hidden />
          {name}
        </a>
      ))}
      <Button icon={Printer} onClick={() => window.print()}>
        Print
      </Button>
    </div>
  )
}

/** Citations of a report: `[3]`; in older reports also `[plan.md::S3]`, `[https://…]`, `[ambit://…]`. */
const CITATION = /^(?:\d{1,5}|.{1,300}::S\d+|(?:https?|ambit):\/\/\S{1,2000})$/

/** A citation is a number that opens the source beside the report. */
function useCitationView(
  report: Report | undefined,
  shown: number | undefined,
  onShow: ReportViewProps['onSource'],
): CitationView {
  return useMemo(() => {
    const refs = report?.sources.map(({ ref }) => ref) ?? []
    const numbers = new Map(refs.map((ref, at) => [ref, at + 1]))
    return {
      pattern: CITATION,
      numberOf: (cited) => numbers.get(cited) ?? (refs[Number(cited) - 1] === undefined ? undefined : Number(cited)),
      render: (number) => (
        <button
          type="button"
          data-cite=""
          aria-label={`Source ${number}`}
          aria-pressed={number === shown}
          onClick={() => onShow(number)}
          className="mx-0.5 rounded-sm border border-line-strong px-1 align-text-top text-xs leading-4 text-accent tabular-nums hover:bg-raised aria-pressed:bg-mark"
        >
          {number}
        </button>
      ),
    }
  }, [report, shown, onShow])
}

interface SourceListProps {
  readonly session: string
  readonly sources: readonly ReportSource[]
  readonly shown: number | undefined
  readonly onShow: ReportViewProps['onSource']
}

/** The sources of a report, in the order of their numbers. The open source shows its passage. */
function SourceList({ session, sources, shown, onShow }: SourceListProps) {
  return (
    <Scroll
      label="Sources"
      className="border-line bg-surface p-3 @max-4xl:border-t @4xl:overflow-y-auto @4xl:border-l print:hidden"
    >
      <h2 className="px-1 text-base font-semibold">Sources</h2>
      <ol className="mt-2 stack gap-2">
        {sources.map((source, at) => (
          <SourceCard key={source.ref} {...{ session, source, shown, onShow }} number={at + 1} />
        ))}
      </ol>
    </Scroll>
  )
}

interface SourceCardProps extends Omit<SourceListProps, 'sources'> {
  readonly source: ReportSource
  readonly number: number
}

function SourceCard({ session, source, number, shown, onShow }: SourceCardProps) {
  const isShown = number === shown
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  return (
    <li ref={ref} className="rounded-md border border-line bg-canvas text-sm">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => onShow(isShown ? undefined : number)}
        className="flex w-full items-baseline gap-2 rounded-md px-3 py-2 text-left hover:bg-raised"
      >
        <span className="shrink-0 text-xs text-ink-3 tabular-nums">{number}</span>
        <span className="min-w-0 flex-1">
          <PlainText as="span" className="block font-medium wrap-anywhere" text={source.file ?? source.title} />
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

/** A link to the source, if it has a URL. */
function SourceLink({ source: { ref } }: { readonly source: ReportSource }) {
  const look = 'inline-flex items-center gap-1 justify-self-start text-xs text-accent underline [&_svg]:size-3'
  const [, collection, path, lines] = /^ambit:\/\/([^/]+)\/([^#]*)(?:#L(\d+(?:-L\d+)?))?$/.exec(ref) ?? []
  if (collection !== undefined && path !== undefined) {
    return (
      <Link
        {...browseAt(decodeURIComponent(collection), decodeURIComponent(path))}
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
const CONTEXT_CHARACTERS = 4000

/** The cited passage, marked; in a file, with the text around it. */
function Passage({ session, source: { text, file, offsets } }: Pick<SourceCardProps, 'session' | 'source'>) {
  const isOfFile = file !== undefined && offsets !== undefined
  const { data: files } = useQuery({ ...sessionQuery(session), enabled: isOfFile, select: (one) => one.files })
  const id = files?.find(({ alias }) => alias === file)?.id
  const { data: fileText = '' } = useQuery({ ...fileTextQuery(session, id ?? ''), enabled: id !== undefined })
  const mark = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text around the passage arrives later, and moves it.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'nearest' })
  }, [fileText])
  const { start = 0, end = 0 } = offsets ?? {}
  return (
    <Scroll label="Cited passage" className="max-h-72 overflow-y-auto whitespace-pre-line wrap-anywhere text-ink-3">
      <PlainText text={fileText.slice(Math.max(0, start - CONTEXT_CHARACTERS), start)} />
      <mark ref={mark} className="text-ink">
        <PlainText text={text} />
      </mark>
      <PlainText text={fileText.slice(end, end + CONTEXT_CHARACTERS)} />
    </Scroll>
  )
}
