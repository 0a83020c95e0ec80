/** The events of a run, and what it is made of: an append-only log. Names are those of the research spec. */

export const EVENT_TYPES = [
  'context_binding_parsing_started',
  'context_binding_parsing_file_completed',
  'context_binding_parsing_completed',
  'context_unavailable',
  'run_started',
  'brief_ready',
  'node_started',
  'context_for_node_ready',
  'queries_planned',
  'search_completed',
  'page_read',
  'node_synthesized',
  'node_sufficiency',
  'node_decomposed',
  'context_routing_started',
  'context_routing_failed',
  'context_routing_completed',
  'node_completed',
  'budget_exhausted',
  'plan_ready',
  'plan_changed',
  'question_added',
  'run_paused',
  'run_resumed',
  'report_generation_started',
  'report_context_attached',
  'report_generation_completed',
  'run_completed',
  'run_aborted',
  'run_failed',
  'run_quarantined',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** What tells apart events of one type: each stands once in a run. */
export interface About {
  readonly node?: string | undefined
  /** Tells apart those of one node. */
  readonly key?: string | undefined
}

/** By which an event is known in the log. */
export function eventKey(type: EventType, { node = '', key = '' }: About): string {
  return `${type}/${node}/${key}`
}

/** Events after which nothing comes. `run_failed` is one until it is resumed. */
export const TERMINAL: ReadonlySet<string> = new Set<EventType>(['run_completed', 'run_aborted', 'run_quarantined'])

/** An event as followers of a run get it. */
export interface RunEvent {
  /** From 1, without gaps. */
  readonly seq: number
  readonly type: EventType
  readonly session_id: string
  readonly node_id?: string
  /** ISO 8601, UTC. Orders nothing. */
  readonly at: string
  readonly [field: string]: unknown
}

/** One entry of the log. */
export interface LogRecord {
  readonly seq: number
  readonly type: EventType
  readonly at: string
  /** Names it in its run: what has happened does not happen again. */
  readonly key: string
  readonly nodeId?: string
  /** The fields of the event. */
  readonly payload: Readonly<Record<string, unknown>>
  /** What was worked out for it, by name: a run that resumes has it from here. No part of the event. */
  readonly made: Readonly<Record<string, unknown>>
}

/** The event of an entry. */
export function eventOf(session: string, { seq, type, at, nodeId, payload }: LogRecord): RunEvent {
  return { seq, type, session_id: session, ...(nodeId !== undefined && { node_id: nodeId }), at, ...payload }
}
