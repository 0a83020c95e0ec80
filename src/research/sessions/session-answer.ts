/** Answers about sessions, made from the stored session, its files and its log. */

import { cachePerObject } from '../../core/cache-per-object.ts'
import { SharedWork } from '../../core/steps.ts'
import type { RunStore, StoredFile, StoredSession } from '../../stores/run-store.ts'
import type { ResearchReport, SessionAnswer, SessionFile, SessionLine, ShownNode, ShownSlice } from '../answers.ts'
import { eventOf, type RunEvent, TERMINAL_EVENTS } from '../events.ts'
import { answeredOf, byPosition, type NodeContextSlice } from '../run/evidence.ts'
import { readLogPages, recordsOf, toLogRecord } from '../run/journal.ts'
import { orphansOf } from '../run/slices.ts'
import type { Brief } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'
import { type NodeState, partsAnswered } from '../run/tree.ts'

export function toSessionLine({ id, question, status, follows, createdAt, updatedAt }: StoredSession): SessionLine {
  return { session_id: id, question, status, follows: follows ?? null, created_at: createdAt, updated_at: updatedAt }
}

/** A session with its run. `showsItems`: whether slices are shown with their items. */
export function toSessionAnswer(session: StoredSession, { state, files, showsItems }: SessionParts): SessionAnswer {
  const nodes = [...state.nodes.values()].sort((a, b) => byPosition(a.id, b.id))
  return {
    ...toSessionLine(session),
    // The log of a queued session still has the previous status.
    status: session.status === 'queued' ? 'queued' : state.status,
    revision: session.revision,
    seq: state.lastSeq,
    settings: JSON.parse(session.settings),
    context_processing: { ...state.processing },
    files: files.map((file) => fileAnswer(file, state)),
    nodes: nodes.map((node) => nodeAnswer(node, state, showsItems)),
    spent: state.spent,
    ...(state.brief && { brief: withoutQuestion(state.brief) }),
    failure: state.failure ?? null,
    ui_debug: showsItems,
    report: state.report ? withoutSources(state.report) : null,
  }
}

interface SessionParts {
  readonly state: RunState
  readonly files: readonly StoredFile[]
  readonly showsItems: boolean
}

function withoutQuestion({ question: _, ...brief }: Brief): Omit<Brief, 'question'> {
  return brief
}

function withoutSources({ sources: _, ...report }: ResearchReport): Omit<ResearchReport, 'sources'> {
  return report
}

export function fileAnswer({ id, name, alias, size, type, sha256 }: StoredFile, state?: RunState): SessionFile {
  const fileState = state?.files.find((one) => one.id === id)
  return {
    ...{ id, name, alias, size, type, sha256 },
    status: fileState?.status ?? 'uploaded',
    ...(fileState?.reason !== undefined && { reason: fileState.reason }),
    ...(fileState && { items_count: fileState.items, rejected_count: fileState.rejected }),
  }
}

function nodeAnswer(node: NodeState, state: RunState, showsItems: boolean): ShownNode {
  const { id, parent, question, depth, status, isPinned, sufficiency, slice, children } = node
  const { evidence, queries, findings } = node
  const parts = partsAnswered(node, state.nodes)
  const childSlices = children.flatMap((child) => state.nodes.get(child)?.slice ?? [])
  return {
    ...{ id, parent, question, depth, status },
    answered: answeredOf(parts),
    parts: parts.map(({ text, answered }) => ({ text, answered })),
    pinned: isPinned,
    ...{ evidence, queries, findings },
    gaps: sufficiency?.gaps ?? [],
    reasoning: sufficiency?.reasoning ?? '',
    slice: slice ? sliceAnswer(slice, showsItems) : null,
    orphans: slice ? orphansOf(slice, childSlices).map((item) => item.id) : [],
  }
}

function sliceAnswer({ selected_items, ...slice }: NodeContextSlice, showsItems: boolean): ShownSlice {
  return { ...slice, selected_items_count: selected_items.length, ...(showsItems && { selected_items }) }
}

/** The reads in progress of each store: callers of `followSession` that wait for the same event share one read. */
const sharedReads = cachePerObject((_: RunStore) => new SharedWork<unknown>())

/**
 * The events of a session after number `after`, whichever process writes them. Ends with the last event, or when the signal
 * fires.
 */
export async function* followSession(
  store: RunStore,
  session: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<RunEvent> {
  const shared = sharedReads(store)
  const share = <Value>(key: string, read: () => Promise<Value>) => shared.do(key, read) as Promise<Value>
  const records: RunStore['records'] = (...page) => share(page.join(' '), () => store.records(...page))
  using watch = store.watch(session, 'events')
  for (let last = after; !signal?.aborted; ) {
    for await (const page of readLogPages({ records }, session, last)) {
      for (const stored of page) {
        if (signal?.aborted) return
        const event = eventOf(session, toLogRecord(stored))
        last = event.seq
        yield event
        if (TERMINAL_EVENTS.includes(event.type) && !(await isReopened(store, session, last))) return
      }
    }
    // The session was removed.
    if ((await share(session, () => store.get(session))) === undefined) return
    await watch.changed(signal)
  }
}

/** Whether questions were added after the end of a run. */
async function isReopened(store: RunStore, session: string, endSeq: number): Promise<boolean> {
  for await (const { type } of recordsOf(store, session, endSeq)) if (type === 'question_added') return true
  return false
}
