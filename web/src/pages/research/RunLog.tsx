import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileText, Pin, PinOff, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { changeRun, isRunning, type RunEvent, replan, type Session, type SessionFile } from '../../api/sessions.ts'
import { Button, IconButton, TextButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Textarea } from '../../ui/Field.tsx'
import { counted, numberOf, sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { NodeView } from './NodeView.tsx'
import { Tree } from './Tree.tsx'

interface RunLogProps {
  readonly session: Session
  readonly events: readonly RunEvent[]
  /** The question that is open. */
  readonly chosen: string | undefined
  readonly onChoose: (node: string | undefined) => void
}

/** The questions of a run, what happens, and details; a column without content is left out. */
export function RunLog({ session, events, chosen, onChoose }: RunLogProps) {
  const node = session.nodes.find(({ id }) => id === String(chosen))
  const isHalted = !isRunning(session)
  const hasDetails = node !== undefined || session.files.length > 0 || session.ui_debug
  const column = 'min-w-0 border-line max-lg:border-t lg:min-h-0 lg:overflow-y-auto'
  return (
    <div className="flex min-h-0 flex-1 border-line max-lg:flex-col max-lg:overflow-y-auto lg:border-t">
      {session.nodes.length > 0 && (
        <Scroll label="Questions of the run" className={cn(column, 'lg:flex-[3]')}>
          <Tree
            nodes={session.nodes}
            chosen={node?.id}
            isHalted={isHalted}
            onChoose={(id) => onChoose(id === node?.id ? undefined : id)}
          />
        </Scroll>
      )}
      <div className={cn(column, 'flex shrink-0 flex-col max-lg:h-96 lg:flex-[4]', node && 'max-lg:order-last')}>
        {session.status === 'planned' && <Plan session={session} />}
        <Stream events={events} />
      </div>
      {hasDetails && (
        <Scroll label="Details" className={cn(column, 'lg:flex-[3] lg:border-l')}>
          {node && <NodeView node={node} isHalted={isHalted} onClose={() => onChoose(undefined)} />}
          {!node && session.files.length > 0 && <Files session={session} />}
          {session.ui_debug && <DigestPane session={session} events={events} />}
        </Scroll>
      )}
    </div>
  )
}

/** Events of one kind that follow each other. */
type Fold = [RunEvent, ...RunEvent[]]

/** Pixels from the end within which a person reads along. */
const NEAR = 40

/** Events of the run, a sentence each; many of a kind in a row are one. */
function Stream({ events }: { readonly events: readonly RunEvent[] }) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what comes.
  useEffect(() => {
    if (isAtEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight })
  }, [events.length])
  return (
    <div
      ref={ref}
      role="log"
      aria-label="Thought stream"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - NEAR
      }}
      className="min-h-0 flex-1 overflow-y-auto py-2 lg:border-l lg:border-line"
    >
      {foldsOf(events).map((fold) => (
        <FoldRow key={fold[0].seq} fold={fold} />
      ))}
    </div>
  )
}

function FoldRow({ fold }: { readonly fold: Fold }) {
  const [isOpen, setOpen] = useState(false)
  const last = fold.at(-1) ?? fold[0]
  return (isOpen ? fold : [last]).map((event) => (
    <p key={event.seq} className="flex gap-3 px-4 py-0.5 text-sm">
      <time dateTime={event.at} className="shrink-0 font-mono text-xs leading-[18px] text-ink-3">
        {new Date(event.at).toTimeString().slice(0, 8)}
      </time>
      <span className="min-w-0 wrap-anywhere">
        <PlainText text={event.narration ?? event.type} />
        <Fallback event={event} />
        {fold.length > 1 && event === last && (
          <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="ml-2 text-xs">
            {isOpen ? 'less' : `${numberOf(fold.length - 1)} more like this`}
          </TextButton>
        )}
      </span>
    </p>
  ))
}

/** Says that a stage was done without its model, and why, unless the sentence says it already. */
function Fallback({ event: { fallback_reason: reason, narration = '' } }: { readonly event: RunEvent }) {
  if (reason === undefined) return null
  return (
    <span className="block text-xs text-warn">
      <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
      Done without the model{!narration.includes(reason) && <PlainText text={`: ${reason}`} />}
    </span>
  )
}

/** Kinds of events that come many in a row. */
const FOLDED = new Set([
  'context_binding_parsing_file_completed',
  'search_completed',
  'page_read',
  'context_routing_completed',
])

/** An event with a fallback is never folded. */
function foldsOf(events: readonly RunEvent[]): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const last = folds.at(-1)
    const isAlike = last?.[0].type === event.type && FOLDED.has(event.type)
    if (isAlike && !event.fallback_reason && !last[0].fallback_reason) last.push(event)
    else folds.push([event])
  }
  return folds
}

/** Questions that a plan may have. */
const MOST = 7

/** The first questions of a run that waits for its plan: they can be changed, kept, left out and added to. */
function Plan({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const [questions, setQuestions] = useState(() =>
    session.nodes
      .filter(({ parent }) => parent === '1')
      .map(({ id, question, pinned }) => ({ key: id, question, pinned })),
  )
  const change = (key: string, to: Partial<(typeof questions)[number]>) =>
    setQuestions(questions.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const kept = questions.filter(({ question }) => question.trim() !== '')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await replan(
        session.session_id,
        kept.map(({ question, pinned }) => ({ question: question.trim(), pinned })),
      )
      await changeRun(session.session_id, 'resume')
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section aria-labelledby="plan" className="stack max-w-prose gap-2 p-4">
      <h2 id="plan" className="text-base font-semibold">
        The plan
      </h2>
      <p className="text-sm text-ink-2">
        Research continues with these questions. A pinned question is not split further.
      </p>
      <ol className="stack gap-2">
        {questions.map(({ key, question, pinned }, at) => (
          <li key={key} className="flex items-start gap-1">
            <Textarea
              aria-label={`Question ${at + 1}`}
              value={question}
              onChange={({ target }) => change(key, { question: target.value })}
            />
            <IconButton
              icon={pinned ? PinOff : Pin}
              label={pinned ? `Unpin question ${at + 1}` : `Pin question ${at + 1}`}
              aria-pressed={pinned}
              onClick={() => change(key, { pinned: !pinned })}
            />
            <IconButton
              icon={Trash2}
              label={`Remove question ${at + 1}`}
              onClick={() => setQuestions(questions.filter((each) => each.key !== key))}
            />
          </li>
        ))}
      </ol>
      <div className="flex items-center gap-2">
        <Button
          icon={Plus}
          disabled={questions.length >= MOST}
          onClick={() => setQuestions([...questions, { key: crypto.randomUUID(), question: '', pinned: false }])}
        >
          Add a question
        </Button>
        <Button look="main" disabled={isPending || kept.length === 0} onClick={() => mutate()}>
          Continue with this plan
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error.message}
        </p>
      )}
    </section>
  )
}

/** The files of a session, and how far they are read. */
function Files({ session: { files, context_processing } }: { readonly session: Session }) {
  const { files_total, files_ready, files_error, status } = context_processing
  return (
    <section aria-labelledby="files" className="stack gap-1 p-4">
      <h2 id="files" className="flex items-baseline gap-2 text-base font-semibold">
        Files
        {status === 'parsing' && (
          <span role="status" className="text-xs font-normal text-ink-3 tabular-nums">
            {files_ready + files_error} of {files_total} read
          </span>
        )}
      </h2>
      <ul className="stack">
        {files.map((file) => (
          <Row key={file.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

const SIGNS = {
  ready: <CircleCheck role="img" aria-label="read" className="text-good" />,
  error: <CircleAlert role="img" aria-label="could not be read" className="text-bad" />,
  uploaded: <FileText role="img" aria-label="uploaded" className="text-ink-3" />,
} as const

function Row({ file: { name, alias, size, status, reason, items_count } }: { readonly file: SessionFile }) {
  return (
    <li className="flex items-start gap-2 py-1 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {SIGNS[status]}
      <span className="min-w-0 flex-1 wrap-anywhere" title={name}>
        <PlainText text={alias} />
        {reason !== undefined && <PlainText as="span" className="block text-xs text-bad" text={reason} />}
      </span>
      <span className="shrink-0 text-xs leading-[18px] text-ink-3 tabular-nums">
        {items_count === undefined || status === 'error' ? sizeOf(size) : counted(items_count, 'item')}
      </span>
    </li>
  )
}

const SHOWN: Readonly<Record<string, 'parsing' | 'slice' | 'report'>> = {
  context_binding_parsing_started: 'parsing',
  context_binding_parsing_file_completed: 'parsing',
  context_for_node_ready: 'slice',
  report_context_attached: 'report',
}

/** The digest of the files that the run has now; only where the server is started with it. */
function DigestPane({ session, events }: { readonly session: Session; readonly events: readonly RunEvent[] }) {
  const { files_total, files_ready, files_error } = session.context_processing
  const last = events.findLast(({ type }) => type in SHOWN)
  const shown = SHOWN[last?.type ?? ''] ?? 'parsing'
  const node = session.nodes.find(({ id }) => id === last?.node_id)
  return (
    <section aria-label="Aggregate digest" className="stack min-w-0 gap-2 border-t border-line p-4">
      <h2 className="text-base font-semibold">
        Digest{shown === 'slice' && node && <span className="ml-2 font-mono text-xs text-ink-3">{node.id}</span>}
      </h2>
      {shown === 'report' && <p className="text-sm">Full context attached.</p>}
      {shown === 'parsing' && (
        <p className="text-sm tabular-nums">
          {files_ready + files_error} of {files_total} files parsed
          {files_error > 0 && `, ${files_error} of them could not be read`}.
        </p>
      )}
      {shown === 'slice' && node?.slice && <JsonValue value={node.slice} open={4} />}
    </section>
  )
}
