import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useMatches, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CircleStop, type LucideIcon, Pause, Play, RotateCcw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { RunAction, RunEvent, Session } from '../../api/sessions.ts'
import { changeRun, followRun, hasEnded, isRunning, sessionQuery } from '../../api/sessions.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { countOf, momentOf, numberOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ReportView } from './ReportView.tsx'
import { RunLog } from './RunLog.tsx'
import { Status } from './Status.tsx'

interface Address {
  readonly tab?: 'log'
  readonly node?: string
  readonly source?: string
}

/** A session: its report, once it is written, and the log of the run. */
export function SessionPage() {
  const { session: id } = useParams({ strict: false }) as { readonly session: string }
  const { session, events, error, refetch } = useRun(id)
  const address = useSearch({ strict: false }) as Address
  // Older versions had a separate URL for the report.
  const isReportUrl = useMatches().some(({ routeId }) => String(routeId).endsWith('/report'))
  const navigate = useNavigate()
  const show = useCallback(
    (search: object) => navigate({ to: '/research/$session', params: { session: id }, search, replace: true }),
    [navigate, id],
  )
  const onSource = useCallback((source: number | undefined) => show(source === undefined ? {} : { source }), [show])
  useTitle(session?.question ?? 'Research')
  if (!session) {
    return (
      <>
        <h1 className="sr-only">Research</h1>
        {error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />}
      </>
    )
  }
  const choose = (node: string | undefined) => show({ tab: 'log', ...(node !== undefined && { node }) })
  const log = <RunLog session={session} events={events} chosen={address.node} onChoose={choose} />
  const page = { to: '/research/$session', params: { session: id } } as const
  const isLog = !session.report || (address.tab === 'log' && !isReportUrl)
  return (
    <div className="flex h-full min-h-0 flex-col print:block print:h-auto">
      <Head session={session} />
      {session.report && (
        <Tabs
          label="Parts of the research"
          tabs={[
            { ...page, name: 'Report', isCurrent: !isLog },
            { ...page, name: 'Log', search: { tab: 'log' }, isCurrent: isLog },
          ]}
          className="border-b border-line px-3"
        />
      )}
      {isLog ? log : <ReportView session={id} source={Number(address.source) || undefined} onSource={onSource} />}
    </div>
  )
}

function Head({ session }: { readonly session: Session }) {
  const { question, status, created_at, spent, failure, files, settings } = session
  const { collections, web } = settings
  const collectionsText =
    Array.isArray(collections) && collections.length > 0 ? `from ${collections.join(', ')}` : 'from all collections'
  const sources = [
    files.length > 0 && countOf(files.length, 'file'),
    collections !== false && collectionsText,
    web && 'from the web',
  ]
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <PlainText as="h1" className="text-lg font-semibold wrap-anywhere" text={question} />
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3 tabular-nums print:hidden">
          <Status status={status} />
          <time dateTime={created_at}>{momentOf(created_at)}</time>
          <span className="wrap-anywhere">{sources.filter(Boolean).join(', ')}</span>
          {spent.calls > 0 && <span>{countOf(spent.calls, 'model call')}</span>}
          {spent.input + spent.output > 0 && <span>{numberOf(spent.input + spent.output)} tokens</span>}
          {spent.cost !== undefined && <span>${spent.cost.toFixed(2)}</span>}
        </p>
        {failure && (
          <p role="alert" className="text-sm text-bad wrap-anywhere">
            {failure.message} {failure.hint}
          </p>
        )}
      </div>
      <Actions session={session} />
    </header>
  )
}

function Actions({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const { session_id: id, status } = session
  const { mutate, isPending, error } = useMutation({
    mutationFn: (verb: RunAction) => changeRun(id, verb),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const button = (verb: RunAction, name: string, icon: LucideIcon) => (
    <Button icon={icon} disabled={isPending} onClick={() => mutate(verb)} look={verb === 'start' ? 'main' : 'plain'}>
      {name}
    </Button>
  )
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error.message}
        </span>
      )}
      {status === 'created' && button('start', 'Start Research', Play)}
      {isRunning(session) && button('pause', 'Pause', Pause)}
      {(status === 'paused' || status === 'failed') && button('resume', 'Resume', RotateCcw)}
      {status !== 'created' && !hasEnded(session) && button('stop', 'Stop', CircleStop)}
      {hasEnded(session) && (
        <Link to="/research" search={{ follows: id }} className={buttonLook({ look: 'plain' })}>
          Ask a follow-up
        </Link>
      )}
    </div>
  )
}

/** Milliseconds in which events are collected before they are rendered together. */
const BATCH_MS = 120

/** The current session and its events, both updated live. */
function useRun(id: string) {
  const client = useQueryClient()
  const { data: session, error, refetch } = useQuery(sessionQuery(id))
  const [received, setReceived] = useState<{ id: string; events: readonly RunEvent[] }>({ id, events: [] })
  useEffect(() => {
    const controller = new AbortController()
    const pending: RunEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      const newEvents = pending.splice(0)
      setReceived((before) => ({ id, events: [...(before.id === id ? before.events : []), ...newEvents] }))
      client.invalidateQueries({ queryKey: ['sessions'] })
    }
    const onEvent = (event: RunEvent) => {
      pending.push(event)
      timer ??= setTimeout(draw, BATCH_MS)
    }
    setReceived({ id, events: [] })
    followRun(id, onEvent, controller.signal)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [id, client])
  return { session, events: received.id === id ? received.events : [], error, refetch }
}
