import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileText, Pin, PinOff, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { changeRun, isRunning, type RunEvent, replan, type Session, type SessionFile } from '../../api/sessions.ts'
import { Button, IconButton, TextButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Textarea } from '../../ui/Field.tsx'
import { countOf, numberOf, sizeOf } from '../../ui/format.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Log } from '../../ui/Log.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Section } from '../../ui/Section.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { NodeView } from './NodeView.tsx'
import { Tree } from './Tree.tsx'

interface RunLogProps {
  readonly session: Session
  readonly events: readonly RunEvent[]
  /** The id of the open question. */
  readonly chosen: string | undefined
  readonly onChoose: (node: string | undefined) => void
}

/** The questions of a run, its events, and details. A column without content is left out. */
export function RunLog({ session, events, chosen, onChoose }: RunLogProps) {
  const node = session.nodes.find(({ id }) => id === String(chosen))
  const isHalted = !isRunning(session)
  const hasDetails = node !== undefined || session.files.length > 0 || session.ui_debug
  const toggle = (id: string) => onChoose(id === node?.id ? undefined : id)
  const column = 'min-w-0 border-line max-lg:border-t lg:min-h-0 lg:overflow-y-auto'
  return (
    <div className="flex min-h-0 flex-1 border-line max-lg:flex-col max-lg:overflow-y-auto lg:border-t">
      {session.nodes.length > 0 && (
        <Scroll label="Questions of the run" className={cn(column, 'lg:flex-[3]')}>
          <Tree {...{ nodes: session.nodes, chosen: node?.id, isHalted }} onChoose={toggle} />
        </Scroll>
      )}
      <div className={cn(column, 'flex shrink-0 flex-col max-lg:h-96 lg:flex-[4]', node && 'max-lg:order-last')}>
        {session.status === 'planned' && <Plan session={session} />}
        <Log label="Thought stream" grows={events.length} className="py-2 lg:border-l lg:border-line">
          {foldsOf(events).map((fold) => (
            <FoldRow key={fold[0].seq} fold={fold} />
          ))}
        </Log>
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

/** Consecutive events of one kind. */
type Fold = [RunEvent, ...RunEvent[]]

/** An event as a sentence. Many consecutive events of a kind are folded into one. */
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

/** Says why a stage ran without its model, unless the sentence says it. */
function Fallback({ event: { fallback_reason: reason, narration = '' } }: { readonly event: RunEvent }) {
  if (reason === undefined) return null
  return (
    <span className="block text-xs text-warn">
      <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
      Done without the model{!narration.includes(reason) && <PlainText text={`: ${reason}`} />}
    </span>
  )
}

/** Kinds of events that are folded. */
const FOLDED = /^(context_binding_parsing_file_completed|search_completed|page_read|context_routing_completed)$/

/** Groups events into folds. An event of a stage that ran without its model stays alone. */
function foldsOf(events: readonly RunEvent[]): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const last = folds.at(-1)
    const isSameKind = last?.[0].type === event.type && FOLDED.test(event.type)
    if (isSameKind && !event.fallback_reason && !last[0].fallback_reason) last.push(event)
    else folds.push([event])
  }
  return folds
}

/** Maximum questions of a plan. */
const MAX_QUESTIONS = 7

/** The first questions of a run that waits for approval of its plan. The person can edit, pin, remove and add questions. */
function Plan({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const [questions, setQuestions] = useState(() =>
    session.nodes
      .filter(({ parent }) => parent === '1')
      .map(({ id, question, pinned }) => ({ key: id, question, pinned })),
  )
  const change = (key: string, to: Partial<(typeof questions)[number]>) =>
    setQuestions(questions.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const filled = questions.filter(({ question }) => question.trim() !== '')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const children = filled.map(({ question, pinned }) => ({ question: question.trim(), pinned }))
      await replan(session.session_id, children)
      await changeRun(session.session_id, 'resume')
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Section title="The plan" className="stack max-w-prose gap-2 p-4">
      <p className="text-sm text-ink-2">
        Research continues with these questions. A pinned question is not split further.
      </p>
      <ol className="stack gap-2">
        {questions.map(({ key, question, pinned }, at) => (
          <li key={key} className="flex items-start gap-1">
            <Textarea
              aria-label={`Question ${at + 1}`}
              value={question}
              onText={(text) => change(key, { question: text })}
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
          disabled={questions.length >= MAX_QUESTIONS}
          onClick={() => setQuestions([...questions, { key: crypto.randomUUID(), question: '', pinned: false }])}
        >
          Add a question
        </Button>
        <Button look="main" disabled={isPending || filled.length === 0} onClick={() => mutate()}>
          Continue with this plan
        </Button>
      </div>
      {error && <ErrorNote error={error} className="p-0" />}
    </Section>
  )
}

/** The files of a session, with their progress. */
function Files({ session: { files, context_processing } }: { readonly session: Session }) {
  const { files_total, files_ready, files_error, status } = context_processing
  const title = (
    <>
      Files<span role="status">{status === 'parsing' && `: ${files_ready + files_error} of ${files_total} read`}</span>
    </>
  )
  return (
    <Section title={title} className="stack gap-1 p-4">
      <ul className="stack">
        {files.map((file) => (
          <Row key={file.id} file={file} />
        ))}
      </ul>
    </Section>
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
        {items_count === undefined || status === 'error' ? sizeOf(size) : countOf(items_count, 'item')}
      </span>
    </li>
  )
}

const VIEWS: Readonly<Record<string, string>> = {
  context_for_node_ready: 'slice',
  report_context_attached: 'report',
}

/** The digest (what was read from the files of the run). Shown only if the server has the option `uiDebug`. */
function DigestPane({ session, events }: { readonly session: Session; readonly events: readonly RunEvent[] }) {
  const { files_total, files_ready, files_error } = session.context_processing
  const last = events.findLast(({ type }) => type in VIEWS || type.startsWith('context_binding_parsing_'))
  const shown = VIEWS[last?.type ?? '']
  const node = shown === 'slice' ? session.nodes.find(({ id }) => id === last?.node_id) : undefined
  const broken = files_error > 0 ? `, ${files_error} of them could not be read` : ''
  return (
    <section aria-label="Aggregate digest" className="stack min-w-0 gap-2 border-t border-line p-4 text-sm">
      <h2 className="text-base font-semibold">
        Digest{node && <span className="ml-2 font-mono text-xs text-ink-3">{node.id}</span>}
      </h2>
      {shown === 'report' && <p>Full context attached.</p>}
      {!shown && (
        <p className="tabular-nums">{`${files_ready + files_error} of ${files_total} files parsed${broken}.`}</p>
      )}
      {node?.slice && <JsonValue value={node.slice} open={4} />}
    </section>
  )
}
