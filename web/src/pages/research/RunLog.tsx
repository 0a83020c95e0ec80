import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isRunning, type RunEvent, type Session } from '../../api/sessions.ts'
import { TextButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { DigestPane, Files } from './Files.tsx'
import { NodeView } from './NodeView.tsx'
import { Plan } from './Plan.tsx'
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

/** What the run does, a sentence for each event; many of a kind in a row are one. */
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
