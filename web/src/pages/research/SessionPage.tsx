import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { isRunning, type Session } from '../../api/sessions.ts'
import { cn } from '../../ui/cn.ts'
import { momentOf, numberOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { useTitle } from '../../ui/useTitle.ts'
import { Actions } from './Actions.tsx'
import { DigestPane } from './DigestPane.tsx'
import { Files } from './Files.tsx'
import { NodeView } from './NodeView.tsx'
import { Plan } from './Plan.tsx'
import { Status } from './Status.tsx'
import { Stream } from './Stream.tsx'
import { Tree } from './Tree.tsx'
import { type Run, useRun } from './useRun.ts'

/** A session: its questions, what happens, and its files. */
export function SessionPage() {
  const { session: id } = useParams({ strict: false }) as { readonly session: string }
  const run = useRun(id)
  useTitle(run.session?.question ?? 'Research')
  if (!run.session) {
    return (
      <>
        <h1 className="sr-only">Research</h1>
        {run.error ? <ErrorNote error={run.error} retry={run.refetch} /> : <Skeleton rows={8} />}
      </>
    )
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head session={run.session} />
      <Body session={run.session} run={run} />
    </div>
  )
}

function Head({ session }: { readonly session: Session }) {
  const { question, status, created_at, spent, failure } = session
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <h1 className="text-lg font-semibold wrap-anywhere">
          <PlainText text={question} />
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3 tabular-nums">
          <Status status={status} />
          <time dateTime={created_at}>{momentOf(created_at)}</time>
          {spent.calls > 0 && <span>{numberOf(spent.calls)} model calls</span>}
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

/** Three columns, two, or one below the other. */
function Body({ session, run: { events } }: { readonly session: Session; readonly run: Run }) {
  const navigate = useNavigate()
  const { node: chosen } = useSearch({ strict: false }) as { readonly node?: unknown }
  const choose = (node: string | undefined) =>
    navigate({
      to: '/research/$session',
      params: { session: session.session_id },
      search: node === undefined ? {} : { node },
      replace: true,
    })
  const node = session.nodes.find(({ id }) => id === String(chosen))
  const column = 'min-w-0 border-line max-lg:border-t lg:min-h-0 lg:overflow-y-auto'
  return (
    <div className="min-h-0 flex-1 max-lg:flex max-lg:flex-col max-lg:overflow-y-auto lg:grid lg:grid-cols-[minmax(220px,3fr)_minmax(260px,4fr)_minmax(220px,3fr)]">
      <Scroll label="Questions of the run" className={column}>
        {session.nodes.length === 0 ? (
          <p className="p-4 text-sm text-ink-3">Questions appear here when the run starts.</p>
        ) : (
          <Tree
            nodes={session.nodes}
            chosen={node?.id}
            isHalted={!isRunning(session)}
            onChoose={(id) => choose(id === node?.id ? undefined : id)}
          />
        )}
      </Scroll>
      <div className={cn(column, 'flex shrink-0 flex-col max-lg:h-96 lg:border-x', node && 'max-lg:order-last')}>
        {session.status === 'planned' && <Plan session={session} />}
        <Stream events={events} />
      </div>
      <Scroll label="Details" className={column}>
        {node ? (
          <NodeView node={node} isHalted={!isRunning(session)} onClose={() => choose(undefined)} />
        ) : (
          <Files session={session} />
        )}
        {session.ui_debug && <DigestPane session={session} events={events} />}
      </Scroll>
    </div>
  )
}
