import type { ContextError } from '../core/errors.ts'
import type { Usage } from '../models/language.ts'

/** A call of a tool, without its result. */
export interface AgentCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** Events of an answer, in order; `end` is the last. */
export type AgentEvent =
  /** A request to the model begins. `number`: from 1. */
  | { readonly type: 'step'; readonly number: number }
  | { readonly type: 'text'; readonly text: string }
  /** A part of the model's reasoning, if the provider sends it. */
  | { readonly type: 'thought'; readonly text: string }
  /** The service is busy. `ms`: milliseconds until the next request. `attempt`: the number of that request, from 2. */
  | { readonly type: 'waiting'; readonly ms: number; readonly attempt: number }
  /** All calls of a step start before the first one finishes: they run in parallel. */
  | ({ readonly type: 'tool-started' } & AgentCall)
  | ({ readonly type: 'tool-finished'; readonly result: string } & AgentCall)
  /** `result`: the text that the model gets. */
  | ({ readonly type: 'tool-failed'; readonly result: string } & AgentCall)
  /** Usage of the step that has just ended, and of all steps. */
  | { readonly type: 'usage'; readonly step: Usage; readonly total: Usage }
  /** The older part of the conversation was compacted, because it came near the limit. Sizes in tokens. */
  | { readonly type: 'compacted'; readonly before: number; readonly after: number; readonly by: 'model' | 'extract' }
  /** An event of the conversation that a call of `delegate` runs. `id`: the id of the call. */
  | { readonly type: 'within'; readonly id: string; readonly event: AgentEvent }
  | ({ readonly type: 'end' } & AnswerEnd)

/** Why the answer ended. Each reason except `done` may come with an incomplete answer. */
export type EndReason =
  | 'done'
  | 'step-limit'
  | 'token-limit'
  | 'cost-limit'
  | 'time-limit'
  /** The model repeated the same calls. */
  | 'loop'
  | 'cancelled'
  /** The service ended the stream in the middle of an answer. */
  | 'interrupted'
  /** The model, or its provider, refuses to answer this question. */
  | 'refused'
  | 'failed'

export interface AnswerEnd {
  readonly reason: EndReason
  /** Absent if nothing failed. */
  readonly error?: ContextError
}
