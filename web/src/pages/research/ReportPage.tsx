import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download, Printer } from 'lucide-react'
import { useMemo } from 'react'
import { type Report, reportFile, reportQuery } from '../../api/sessions.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { counted } from '../../ui/format.ts'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { useTitle } from '../../ui/useTitle.ts'
import { ReportText } from './ReportText.tsx'
import { SourceList } from './SourceList.tsx'

/** What a report can be saved as. */
const REPORT_FORMATS = [
  { format: 'md', name: 'Markdown' },
  { format: 'html', name: 'HTML' },
  { format: 'docx', name: 'Word' },
  { format: 'json', name: 'JSON' },
] as const

/** A report, made for reading and printing, beside what it rests on. */
export function ReportPage() {
  const { session } = useParams({ strict: false }) as { readonly session: string }
  const { data, error, refetch } = useQuery(reportQuery(session))
  useTitle(data ? `Report: ${data.question}` : 'Report')
  if (data) return <ReportView report={data} session={session} />
  return (
    <>
      <h1 className="sr-only">Report</h1>
      {error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={12} />}
    </>
  )
}

interface ShownProps {
  readonly report: Report
  readonly session: string
}

function ReportView({ report, session }: ShownProps) {
  const navigate = useNavigate()
  const { source } = useSearch({ strict: false }) as { readonly source?: unknown }
  const shown = Number(source) || undefined
  const show = (number: number | undefined) =>
    navigate({
      to: '/research/$session/report',
      params: { session },
      search: number === undefined ? {} : { source: number },
      replace: true,
    })
  const refs = useMemo(() => report.sources.map(({ ref }) => ref), [report])
  return (
    <div className="flex h-full min-h-0 flex-col print:block print:h-auto">
      <Head report={report} session={session} />
      {!/^# /m.test(report.markdown) && (
        <h1 className="px-4 pt-4 text-xl font-semibold wrap-anywhere">{report.question}</h1>
      )}
      <div className="min-h-0 flex-1 max-lg:overflow-y-auto lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(280px,380px)] print:block">
        <div className="px-4 py-4 lg:overflow-y-auto print:overflow-visible">
          <div className="max-w-[70ch]">
            <ReportText markdown={report.markdown} refs={refs} shown={shown} onShow={show} />
          </div>
        </div>
        <SourceList session={session} sources={report.sources} shown={shown} onShow={show} />
      </div>
    </div>
  )
}

function Head({ report: { quotes, sources, is_partial }, session }: ShownProps) {
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 print:hidden">
      <Link to="/research/$session" params={{ session }} className="text-sm text-accent underline">
        Back to the run
      </Link>
      <p className="flex-1 text-xs text-ink-3 tabular-nums">
        {counted(quotes.proven, 'quotation')} verified
        {quotes.unproven.length > 0 && (
          <span className="text-warn">, {counted(quotes.unproven.length, 'quotation')} not found in its source</span>
        )}
        , {counted(sources.length, 'source')}
        {is_partial && <span className="text-warn">; incomplete: the run ended early</span>}
      </p>
      {REPORT_FORMATS.map(({ format, name }) => (
        <a key={format} href={reportFile(session, format)} download={`report.${format}`} className={buttonLook({})}>
          <Download aria-hidden />
          {name}
        </a>
      ))}
      <Button onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
    </header>
  )
}
