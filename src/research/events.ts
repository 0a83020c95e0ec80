/** The events of a run. They form its append-only log. Their names are those of the research spec. */

type Fields = Readonly<Record<string, unknown>>

/** One sentence for each type of event, for the person who follows a run. */
const SENTENCES = {
  context_binding_parsing_started: ({ files_total }) =>
    files_total === 0 ? 'There are no files to read.' : `Parsing ${countOf(files_total, 'context file')}…`,
  context_binding_parsing_file_completed: ({ index, total, file, status, reason }) =>
    status === 'ready'
      ? `Parsed context file ${index}/${total}: ${file}.`
      : `Context file ${index}/${total} could not be read: ${file}: ${reason}`,
  context_binding_parsing_completed: ({ files_ready, files_error, items_count }) =>
    `Read ${countOf(files_ready, 'file')}${Number(files_error) > 0 ? `, ${files_error} could not be read` : ''}: ${countOf(items_count, 'item')}.`,
  context_unavailable: ({ reason }) => String(reason),
  run_started: ({ question }) => `Research begins: ${question}`,
  brief_ready: ({ parts }) => `Understood the question as ${countOf(parts ?? [], 'part')}: ${joinWords(parts)}`,
  node_started: ({ node_id, question }) => `Looking into ${node_id}: ${question}`,
  context_for_node_ready: ({ node_id, selected_items_count }) =>
    `Prepared context slice for node ${node_id} (${countOf(selected_items_count, 'item')}).`,
  queries_planned: ({ node_id, queries, round }) =>
    `Searching ${round === undefined ? '' : 'again '}for ${node_id}: ${joinWords(queries)}`,
  search_completed: ({ source, results_count, error }) =>
    error === undefined
      ? `Found ${countOf(results_count, 'result')} in ${sourceName(source)}.`
      : `No answer from ${sourceName(source)}: ${error}`,
  page_read: ({ url, ok, error, copy_of }) => {
    if (!ok) return `Could not read ${url}: ${error}`
    return `Read ${url}${copy_of ? `, which says the same as ${copy_of}` : ''}.`
  },
  node_synthesized: ({ node_id, findings_count, evidence }) =>
    `${node_id} has ${countOf(findings_count, 'finding')}${Array.isArray(evidence) && evidence.length > 0 ? ` from ${joinWords(evidence)}` : ''}.`,
  node_sufficiency: ({ node_id, is_sufficient, reasoning }) =>
    `${node_id} is ${is_sufficient ? 'answered' : 'not answered yet'}: ${reasoning}`,
  node_decomposed: ({ node_id, children }) => `Divided ${node_id} into ${countOf(children ?? [], 'question')}.`,
  context_routing_started: () => 'Routing context to child tasks…',
  context_routing_failed: ({ node_id, reason }) =>
    `Routing for ${node_id} failed: ${reason} Items are routed by matching words.`,
  context_routing_completed: ({ node_id, selected_items_count, dropped_items_count }) =>
    `Routed ${countOf(selected_items_count, 'item')} to ${node_id}; ${dropped_items_count} stay with its parent.`,
  node_completed: ({ node_id, status }) => `${node_id} is done: ${status}.`,
  budget_exhausted: ({ what }) => `The budget is used up: ${LIMIT_NAMES[String(what)] ?? what}.`,
  plan_ready: ({ children }) => `The plan is ready: ${countOf(children ?? [], 'question')}.`,
  plan_changed: ({ children }) => `The plan was changed: ${countOf(children ?? [], 'question')}.`,
  question_added: ({ node_id, question }) => `Added ${node_id}: ${question}`,
  run_paused: ({ handed_over }) => (handed_over ? 'Handed over to another worker.' : 'Paused.'),
  run_resumed: ({ recovered }) => (recovered ? 'Its worker ended; another worker continues.' : 'Resumed.'),
  report_generation_started: ({ is_partial }) =>
    is_partial ? 'Writing a report of the findings so far…' : 'Writing the report…',
  report_context_attached: ({ context_available }) =>
    context_available ? 'Attached full user context for report writing.' : 'There is no user context for the report.',
  report_generation_completed: ({ quotes_proven, quotes_unproven }) =>
    `The report is written: ${countOf(quotes_proven, 'quotation')} verified${Number(quotes_unproven) > 0 ? `, ${quotes_unproven} marked` : ''}.`,
  run_completed: ({ grade }) => `Done; ${describeGrade(grade)}.`,
  run_aborted: ({ grade }) => `Stopped, with a report of what it found; ${describeGrade(grade)}.`,
  run_failed: ({ reason, hint }) => `Failed: ${reason}${hint === undefined ? '' : ` ${hint}`}`,
  run_quarantined: ({ reason }) => `Quarantined: ${reason}`,
} satisfies Readonly<Record<string, (fields: Fields) => string>>

export type EventType = keyof typeof SENTENCES
export const EVENT_TYPES = Object.keys(SENTENCES) as readonly EventType[]

/** Identifies an event among the events of one type: a run has at most one event with the same type, node and key. */
export interface EventIdentity {
  readonly node?: string | undefined
  /** Distinguishes events of one type in one node. */
  readonly key?: string | undefined
}

export function eventKey(type: EventType, { node = '', key = '' }: EventIdentity): string {
  return `${type}/${node}/${key}`
}

/** Events that end a log, unless questions are added later. `run_failed` does not, because the run may be resumed. */
export const TERMINAL_EVENTS: readonly EventType[] = ['run_completed', 'run_aborted', 'run_quarantined']

/** An event as followers of a run get it. */
export interface RunEvent {
  /** From 1, without gaps. */
  readonly seq: number
  readonly type: EventType
  readonly session_id: string
  readonly node_id?: string
  /** ISO 8601, UTC. Events are ordered by `seq`, not by time. */
  readonly at: string
  readonly [field: string]: unknown
}

/** One entry of the log. */
export interface LogRecord extends Pick<RunEvent, 'seq' | 'type' | 'at'> {
  /** Unique in its run, so that a resumed run writes no event twice. */
  readonly key: string
  readonly nodeId?: string
  /** The fields of the event, which followers get. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Results of the work before the event, by name: a resumed run reuses them. Followers do not get them. */
  readonly made: Readonly<Record<string, unknown>>
}

export function eventOf(session: string, { seq, type, at, nodeId, payload }: LogRecord): RunEvent {
  return { seq, type, session_id: session, ...(nodeId !== undefined && { node_id: nodeId }), at, ...payload }
}

/** One sentence for an event, for the person who follows a run. */
export function narrationOf(event: RunEvent): string {
  const { type, fallback_reason: reason } = event
  return SENTENCES[type](event) + (reason === undefined ? '' : ` A part was done without the model: ${reason}`)
}

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  calls: 'requests to models',
  tokens: 'tokens',
  cost: 'cost',
  ms: 'time',
  nodes: 'questions',
  searches: 'searches of the web',
  pages: 'web pages',
}

/** A count with its noun. `counted`: a number, or a list. */
function countOf(counted: unknown, noun: string): string {
  const count = Array.isArray(counted) ? counted.length : counted
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function joinWords(words: unknown): string {
  return Array.isArray(words) ? words.join('; ') : String(words)
}

function sourceName(source: unknown): string {
  return source === 'web' ? 'the web' : 'the collections'
}

export function describeGrade(grade: unknown): string {
  if (grade === 'full') return 'each question has an answer in the evidence'
  return grade === 'partial' ? 'some questions have no complete answer' : 'nothing was found'
}
