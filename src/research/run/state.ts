/** The state of a run. It is computed only from the log, and from results that the next log entry stores. */

import type { EvidenceKind, ResearchReport, RunStatus } from '../answers.ts'
import type { LogRecord } from '../events.ts'
import { BRIEF_WORK, isStageResult, ownerOf, passagesIn } from './done-work.ts'
import { type ContextBundle, type SliceMode, uniqueKinds } from './evidence.ts'
import { childSlice, NO_CHOICE, rootSlice } from './slices.ts'
import { addUsage, type Brief, NO_USAGE, type Routing, type StageResult, type StageUsage, webUsage } from './stages.ts'
import { addQuestion, type NodeState, newNode, type PlannedChild, ROUTED_ADDED, setChildren } from './tree.ts'

/** A round: the questions that were added together to a finished run. */
export interface QuestionRound {
  /** The number of the entry that began the round. */
  readonly seq: number
  readonly ids: readonly string[]
  /** Usage and number of nodes of the run before the round. */
  readonly spent: StageUsage
  readonly nodes: number
}

const BRIEF_KEY = `/${BRIEF_WORK}`

type ProcessingStatus = 'none' | 'parsing' | 'ready' | 'error'
type ByEvent<Value> = Readonly<Partial<Record<LogRecord['type'], Value>>>
export class RunState {
  readonly question: string
  status: RunStatus = 'created'
  /** The number of the last entry; 0 without entries. */
  lastSeq = 0
  /** Keys of all entries. */
  readonly keys = new Set<string>()
  /** Results by owner and name: `1.2/queries`. */
  readonly results = new Map<string, unknown>()
  readonly nodes = new Map<string, NodeState>()
  /** Progress of the files. */
  readonly processing = { status: 'none' as ProcessingStatus, files_total: 0, files_ready: 0, files_error: 0 }
  bundle: ContextBundle | undefined
  /** All reports in order, with their times. */
  readonly reports: { readonly at: string; readonly report: ResearchReport }[] = []
  /** The newest round of questions. */
  round: QuestionRound | undefined
  /** Whether the report covers all questions. */
  isReported = false
  /** When the run began. ISO 8601. */
  startedAt: string | undefined
  /** Limits that were reached. */
  readonly exhausted = new Set<string>()
  /** Milliseconds of work up to the last entry. */
  workedMs = 0
  /** How often the run was resumed after its process died, without progress in between. */
  recoveries = 0
  failure: { readonly code: string; readonly message: string; readonly hint?: string } | undefined
  readonly #spent = new Map<string, StageUsage>()
  #lastAt: number | undefined

  constructor(question: string) {
    this.question = question
  }

  apply(record: LogRecord): void {
    this.lastSeq = record.seq
    this.keys.add(record.key)
    for (const [name, value] of Object.entries(record.made)) this.addResult(name, value)
    this.#countTime(record)
    this.recoveries = record.type === 'run_resumed' && record.payload.recovered === true ? this.recoveries + 1 : 0
    this.status = STATUS_AFTER[record.type] ?? this.status
    EFFECTS[record.type]?.(this, record)
    const node = this.nodes.get(record.nodeId ?? '')
    if (node) NODE_EFFECTS[record.type]?.(node, record, this)
  }

  /** The day on which the run began. ISO 8601. */
  get today(): string {
    return this.startedAt?.slice(0, 10) ?? ''
  }

  get files() {
    return this.bundle?.files ?? []
  }

  /** The items of the whole digest. */
  get items() {
    return this.nodes.get('1')?.slice?.selected_items ?? []
  }

  get report(): ResearchReport | undefined {
    return this.reports.at(-1)?.report
  }

  /** Usage of one owner: a node, a file; `''` for the run itself. */
  spentBy(owner: string): StageUsage {
    return this.#spent.get(owner) ?? NO_USAGE
  }

  get spent(): StageUsage {
    return [...this.#spent.values()].reduce(addUsage, NO_USAGE)
  }

  /** Looked-up passages by citation. Texts that two nodes found in the same place are joined, in the order of the nodes. */
  get passages() {
    return passagesIn(this.results)
  }

  /** The brief of the question, as a model made it or a person changed it. */
  get brief(): Brief | undefined {
    return this.stageResult<Brief>(BRIEF_KEY)?.value
  }

  stageResult<Value>(key: string): StageResult<Value> | undefined {
    const value = this.results.get(key)
    return isStageResult(value) ? (value as StageResult<Value>) : undefined
  }

  /** Adds a result, unless it was added already. */
  addResult(name: string, value: unknown): void {
    if (this.results.get(name) === value) return
    this.results.set(name, value)
    const owner = ownerOf(name)
    const spent = isStageResult(value) ? value.spent : webUsage(name, value)
    if (spent) this.#spent.set(owner, addUsage(this.spentBy(owner), spent))
  }

  /** Counts working time, without idle time. */
  #countTime({ type, at }: LogRecord): void {
    const now = Date.parse(at)
    const isBreak = type === 'run_resumed' || type === 'run_started' || this.status !== 'running'
    if (this.#lastAt !== undefined && !isBreak) this.workedMs += Math.max(0, now - this.#lastAt)
    this.#lastAt = now
  }
}

/** The status of a run after an event that ends its work. */
const STATUS_AFTER: ByEvent<RunStatus> = {
  plan_ready: 'planned',
  run_completed: 'completed',
  run_aborted: 'stopped',
  run_failed: 'failed',
  run_quarantined: 'quarantined',
}

const EFFECTS: ByEvent<(state: RunState, record: LogRecord) => void> = {
  run_started: (state, { at }) => {
    state.startedAt ??= at
    state.status = 'running'
    state.nodes.set('1', newNode('1', { question: state.question }))
  },
  run_resumed: (state) => {
    state.status = 'running'
    state.failure = undefined
  },
  run_paused: (state, { payload }) => {
    state.status = payload.handed_over === true ? 'queued' : 'paused'
  },
  plan_changed: (state, { payload }) => {
    setChildren(state, '1', payload.children as readonly PlannedChild[])
    const brief = state.stageResult<Brief>(BRIEF_KEY)
    if (brief) state.results.set(BRIEF_KEY, { ...brief, value: { ...brief.value, ...Object(payload.brief) } })
  },
  run_failed: setFailure,
  run_quarantined: setFailure,
  context_binding_parsing_started: ({ processing }, { payload }) => {
    processing.files_total = Number(payload.files_total)
    processing.status = processing.files_total === 0 ? 'none' : 'parsing'
  },
  context_binding_parsing_file_completed: ({ processing }, { payload }) => {
    if (payload.status === 'ready') processing.files_ready++
    else processing.files_error++
  },
  context_binding_parsing_completed: (state, { made }) => {
    const bundle = made.bundle as ContextBundle
    const { processing } = state
    state.bundle = bundle
    if (processing.files_total > 0) processing.status = processing.files_ready > 0 ? 'ready' : 'error'
    const root = state.nodes.get('1')
    if (root) root.slice = rootSlice('1', bundle.aggregate_digest.items)
  },
  question_added: (state, { seq, nodeId = '', payload }) => {
    const { isReported, spent, nodes } = state
    const current = isReported ? { seq, ids: [], spent, nodes: nodes.size } : state.round
    if (current) state.round = { ...current, ids: [...current.ids, nodeId] }
    addQuestion(state, nodeId, { question: String(payload.question), pinned: payload.pinned === true })
    state.isReported = false
    state.status = 'paused'
  },
  budget_exhausted: (state, { payload }) => {
    state.exhausted.add(String(payload.what))
  },
  report_generation_completed: (state, { at, made }) => {
    state.reports.push({ at, report: made.report as ResearchReport })
    state.isReported = true
  },
}

const NODE_EFFECTS: ByEvent<(node: NodeState, record: LogRecord, state: RunState) => void> = {
  node_started: (node) => {
    node.status = 'running'
  },
  queries_planned: (node, { payload }) => {
    node.queries = [...node.queries, ...(payload.queries as readonly string[])]
  },
  node_synthesized: (node, _, state) => {
    node.findings = state.stageResult<NodeState['findings']>(`${node.id}/synthesis`)?.value ?? []
    node.evidence = uniqueKinds(node.findings.map(({ kind }) => kind))
    node.parts = (state.results.get(`${node.id}/parts`) as NodeState['parts'] | undefined) ?? []
  },
  node_sufficiency: (node, { payload }) => {
    node.sufficiency = payload as unknown as NodeState['sufficiency']
  },
  node_decomposed: ({ id }, { payload }, state) => setChildren(state, id, payload.children as readonly PlannedChild[]),
  context_routing_completed: (node, { payload }, state) => {
    const { id, isAdded, parent } = node
    const { slice } = state.nodes.get(parent ?? '') ?? {}
    const routed = state.stageResult<Routing>(isAdded ? `${id}/${ROUTED_ADDED}` : `${parent}/router`)
    const choice = routed?.value.choices[id] ?? NO_CHOICE
    if (slice) node.slice = childSlice(id, slice, { choice, mode: payload.mode as SliceMode })
  },
  node_completed: (node, { payload }) => {
    node.status = payload.status as NodeState['status']
    node.evidence = payload.evidence as readonly EvidenceKind[]
  },
}

function setFailure(state: RunState, { payload: { code, reason, hint } }: LogRecord): void {
  state.failure = { code: String(code), message: String(reason), ...(hint ? { hint: String(hint) } : {}) }
}
