import { useEffect, useRef, useState } from 'react'
import type { RunEvent } from '../../api/sessions.ts'
import { numberOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'

/** Events of one kind that follow each other. */
interface Fold {
  readonly type: string
  readonly events: readonly [RunEvent, ...RunEvent[]]
}

/** Pixels from the end within which somebody reads along. */
const NEAR = 40

/** What the run is doing, a sentence for each thing; those of a kind that follow each other are one. */
export function Stream({ events }: { readonly events: readonly RunEvent[] }) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const folds = foldsOf(events)
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
      className="min-h-0 flex-1 overflow-y-auto py-2"
    >
      {folds.map((fold) => (
        <FoldRow key={fold.events[0].seq} fold={fold} />
      ))}
    </div>
  )
}

function FoldRow({ fold: { events } }: { readonly fold: Fold }) {
  const [isOpen, setOpen] = useState(false)
  const last = events.at(-1) ?? events[0]
  const isMany = events.length > 1
  return (
    <>
      {(isOpen ? events : [last]).map((event) => (
        <p key={event.seq} className="flex gap-3 px-4 py-0.5 text-sm">
          <time dateTime={event.at} className="shrink-0 font-mono text-xs leading-[18px] text-ink-3">
            {clockOf(event.at)}
          </time>
          <span className="min-w-0 wrap-anywhere">
            <PlainText text={event.narration ?? event.type} />
            {isMany && event === last && (
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
                className="ml-2 text-xs text-accent underline"
              >
                {isOpen ? 'less' : `${numberOf(events.length - 1)} more like this`}
              </button>
            )}
          </span>
        </p>
      ))}
    </>
  )
}

/** Those that come many at a time, of one kind one after the other. */
const FOLDED = new Set([
  'context_binding_parsing_file_completed',
  'search_completed',
  'page_read',
  'context_routing_completed',
])

function foldsOf(events: readonly RunEvent[]): Fold[] {
  const folds: { type: string; events: [RunEvent, ...RunEvent[]] }[] = []
  for (const event of events) {
    const before = folds.at(-1)
    if (before?.type === event.type && FOLDED.has(event.type)) before.events.push(event)
    else folds.push({ type: event.type, events: [event] })
  }
  return folds
}

/** `10:14:07`. */
function clockOf(at: string): string {
  return new Date(at).toTimeString().slice(0, 8)
}
