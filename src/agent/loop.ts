/** The loop of an answer: asks the model, runs its calls of tools, and asks again, up to an answer or a limit. */

import { BUILT_IN_MODEL } from '../core/choices.ts'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import { Deadline } from '../core/steps.ts'
import type { AssistantPart, LanguageModel, Message, StepRequest, Usage } from '../models/language.ts'
import type { AgentEvent, AnswerEnd, EndReason } from './events.ts'
import { type CallParts, callTools, type ParsedCall, parseCall } from './loop/calls.ts'
import { compactRequest } from './loop/compaction.ts'
import {
  AGENT_LIMITS,
  type AgentLimits,
  isOverflow,
  LAST_STEP,
  LoopDetector,
  learnPromptLimit,
  Meter,
  maxPromptTokens,
  promptTokens,
} from './loop/meter.ts'
import { type AgentStep, endReason, requestStep } from './loop/step.ts'
import { exchangeSpan, recordFailure, recordUsage, stepSpan, traceSpan } from './loop/tracing.ts'

export { isOverflow, learnPromptLimit, maxPromptTokens, requestStep }

/** What an answer needs besides the conversation. */
export interface AgentParts extends Pick<CallParts, 'tools' | 'approve' | 'answer'> {
  readonly model: LanguageModel
  /** The system prompt: the same for all questions of a conversation, so that the provider's cache stays valid. */
  readonly system: string
  /** Default: `AGENT_LIMITS`. */
  readonly limits?: Partial<AgentLimits>
  /** For a delegated task: the meter of the question. It counts the task's usage, too. */
  readonly meter?: Meter
  /**
   * Messages to send with the `summary` of older messages: the context in them that still applies. Without this
   * function, a conversation that is too long is refused.
   */
  carryOver?(older: readonly Message[], recent: readonly Message[], summary: string): readonly Message[]
  /** Further messages before the next request, such as the context of a new place. `conversation`: its current messages. */
  beforeNextStep?(signal: AbortSignal, conversation: readonly Message[]): Promise<readonly Message[]>
}

/** Passed along with a question: the signal that stops the answer, and the listener for its events. */
export interface AgentRun {
  readonly signal?: AbortSignal
  emit(event: AgentEvent): void
}

export interface Outcome extends AnswerEnd {
  /** The last text of the model; incomplete if the step was stopped. */
  readonly answer: string
  /** Messages added to the conversation. Every call in them has its result. */
  readonly messages: readonly Message[]
  /** The messages to send from now on: all of them, or the compacted conversation. */
  readonly conversation: readonly Message[]
  readonly usage: Usage
  /** Number of requests to the model. */
  readonly steps: number
}

/** Answers the last message. Errors of a model, a service or a tool are not thrown: the outcome reports them. */
export function runAgent(messages: readonly Message[], parts: AgentParts, run: AgentRun): Promise<Outcome> {
  return traceSpan(exchangeSpan(parts.model), async (span) => {
    const limits = { ...AGENT_LIMITS, ...parts.limits }
    using deadline = new Deadline(limits.ms)
    const exchange = new Exchange(messages, { parts, limits, signal: deadline.or(run.signal), emit: run.emit })
    const end = await exchange.run().catch((error: unknown): AnswerEnd => {
      if (deadline.isOver && !run.signal?.aborted) return { reason: 'time-limit' }
      if (run.signal?.aborted) return { reason: 'cancelled' }
      if (!(error instanceof ContextError)) throw error
      return { reason: 'failed', error }
    })
    run.emit({ type: 'end', ...end })
    const outcome = { ...end, ...exchange.outcome() }
    recordUsage(span, outcome.usage)
    if (end.reason !== 'done') recordFailure(span, end.error?.code ?? end.reason)
    return outcome
  })
}

/** Minimum tokens of an answer. With `UNLIMITED_FROM` tokens left or more, a request does not limit its answer. */
export const MIN_ANSWER = 500
const UNLIMITED_FROM = 4096

/** Share of the maximum tokens of a request. A larger conversation is compacted. */
const COMPACTION_SHARE = 0.8

/** Minimum tokens of a request that is compacted after a service refused it for its length. */
const MIN_COMPACTED = 500

interface ExchangeContext extends Required<AgentRun> {
  readonly parts: AgentParts
  readonly limits: AgentLimits
}

class Exchange {
  readonly #newMessages: Message[] = []
  #conversation: readonly Message[]
  readonly #context: ExchangeContext
  readonly #loopDetector = new LoopDetector()
  readonly #meter = new Meter()
  #steps = 0
  /** Whether this is the last step, which may not call tools. */
  #isLast = false
  #answer = ''
  #hadInvalidJson = false
  /** After a compaction: the size in tokens above which the conversation is compacted again. Otherwise 0. */
  #compactAbove = 0
  /** Maximum tokens of a request: the limit, or fewer after a refusal of the service. */
  #maxTokens: number

  constructor(messages: readonly Message[], context: ExchangeContext) {
    this.#conversation = messages
    this.#maxTokens = maxPromptTokens(context.parts.model, context.limits)
    this.#context = context
  }

  outcome(): Omit<Outcome, keyof AnswerEnd> {
    return {
      answer: this.#answer,
      messages: this.#newMessages,
      conversation: this.#conversation,
      usage: this.#meter.total,
      steps: this.#steps,
    }
  }

  async run(): Promise<AnswerEnd> {
    for (;;) {
      const end = await this.#runStep()
      if (end) return end
    }
  }

  /** Runs one step. Returns the end if it was the last. */
  async #runStep(): Promise<AnswerEnd | undefined> {
    const { parts, limits, signal, emit } = this.#context
    throwIfAborted(signal)
    if (this.#steps >= limits.steps) return { reason: 'step-limit' }
    this.#isLast = this.#steps > 0 && this.#steps === limits.steps - 1
    if (this.#isLast) this.#add({ role: 'context', text: LAST_STEP })
    const reachedLimit = this.#reachedLimit()
    if (reachedLimit) return { reason: reachedLimit }
    const size = await this.#compactIfLong()
    if (size > this.#maxTokens) return tooLong(size, this.#maxTokens, 'Begin a new one.')
    const remaining = this.#remainingTokens()
    // The built-in model reports a usage of 0 tokens.
    const answerTokens = parts.model.name === BUILT_IN_MODEL ? remaining : remaining - size
    if (answerTokens < Math.min(remaining, MIN_ANSWER)) {
      if (this.#steps > 0) return { reason: 'token-limit' }
      return tooLong(size, Math.max(0, remaining - MIN_ANSWER), `Give ${size + MIN_ANSWER} tokens or more.`)
    }
    emit({ type: 'step', number: ++this.#steps })
    const step = await this.#askModel(answerTokens)
    this.#count(step)
    if (this.#adaptToRefusal(step, size)) return undefined
    if (step.text !== '') this.#answer = step.text
    return this.#finishStep(step)
  }

  #askModel(tokens: number): Promise<AgentStep> {
    const { parts, signal, emit } = this.#context
    const request = { ...this.#request(), ...(tokens < UNLIMITED_FROM && { maxOutputTokens: tokens }) }
    return traceSpan(stepSpan(parts.model), async (span) => {
      const step = await requestStep(parts.model, request, { tokens, signal, emit })
      recordUsage(span, step.usage)
      span.setAttribute('gen_ai.response.finish_reasons', [step.reason])
      if (step.error) recordFailure(span, step.error.code)
      return step
    })
  }

  /** The next request. Always with the tools: the provider's cache stays valid, and earlier calls are understood. */
  #request(): StepRequest {
    const { system, tools } = this.#context.parts
    return { system, messages: this.#conversation, tools, ...(this.#isLast && { callsNothing: true }) }
  }

  /** Lowers the maximum size if the service refused the prompt for its length. Returns whether to ask again. */
  #adaptToRefusal({ error }: AgentStep, size: number): boolean {
    if (!error || !isOverflow(error) || !this.#context.parts.carryOver || size < MIN_COMPACTED) return false
    this.#maxTokens = learnPromptLimit(this.#context.parts.model, error, size)
    this.#compactAbove = 0
    return true
  }

  #reachedLimit(): EndReason | undefined {
    if (this.#remainingTokens() <= 0) return 'token-limit'
    return this.#meters.some((meter) => meter.hasReachedCost(this.#context.limits)) ? 'cost-limit' : undefined
  }

  /** The meter of this exchange, and the meter of the question if this is a delegated task. */
  get #meters(): readonly Meter[] {
    const { meter } = this.#context.parts
    return meter ? [this.#meter, meter] : [this.#meter]
  }

  #remainingTokens(): number {
    return Math.min(...this.#meters.map((meter) => meter.remainingTokens(this.#context.limits)))
  }

  #count(step: AgentStep): void {
    for (const meter of this.#meters) meter.add(step)
    this.#context.emit({ type: 'usage', step: step.usage, total: this.#meter.total })
  }

  /** Tokens of the next request, after compacting a conversation near the maximum. */
  async #compactIfLong(): Promise<number> {
    const { parts, signal, emit } = this.#context
    const before = promptTokens(this.#request())
    const { carryOver } = parts
    if (!carryOver || before <= Math.max(this.#maxTokens * COMPACTION_SHARE, this.#compactAbove)) return before
    const compacted = await compactRequest(this.#request(), {
      model: parts.model,
      carryOver,
      maxTokens: this.#maxTokens,
      maxSummaryUsage: this.#remainingTokens(),
      signal,
      count: (step) => this.#count(step),
    })
    const after = compacted ? promptTokens({ ...this.#request(), messages: compacted.messages }) : before
    if (!compacted || after >= before) return before
    this.#conversation = compacted.messages
    // Keeps a conversation that could not be shortened further from being compacted at each step.
    this.#compactAbove = after * 1.2
    emit({ type: 'compacted', before, after, by: compacted.by })
    return after
  }

  #add(...messages: readonly Message[]): void {
    this.#newMessages.push(...messages)
    this.#conversation = [...this.#conversation, ...messages]
  }

  /** Runs the calls of a step. If the step ends the answer, keeps only its text: its calls may be incomplete. */
  async #finishStep(step: AgentStep): Promise<AnswerEnd | undefined> {
    throwIfAborted(this.#context.signal)
    const calls = step.calls.map(parseCall)
    const end = this.#endAfter(step, calls)
    if (end) this.#keepText(step)
    else await this.#runCalls(step, calls)
    return end
  }

  #endAfter(step: AgentStep, calls: readonly ParsedCall[]): AnswerEnd | undefined {
    const reason = endReason(step)
    if (reason !== undefined) return { reason, ...(step.error && { error: step.error }) }
    if (this.#isLast) return { reason: 'step-limit' }
    if (calls.length === 0 && step.text.trim() !== '') return { reason: 'done' }
    if (calls.length === 0) return failedModel('The model gave an empty answer.', 'Ask again, or in other words.')
    if (this.#loopDetector.isLoop(calls)) return { reason: 'loop' }
    const isInvalidJson = calls.some(({ problem }) => problem !== undefined)
    const hint = 'Another model may be better at calling tools.'
    if (isInvalidJson && this.#hadInvalidJson)
      return failedModel('The model called a tool twice with arguments that are not JSON.', hint)
    this.#hadInvalidJson = isInvalidJson
    return undefined
  }

  /** Runs calls, and adds them together with their results. */
  async #runCalls(step: AgentStep, calls: readonly ParsedCall[]): Promise<void> {
    const { parts, limits, signal, emit } = this.#context
    const meter = parts.meter ?? this.#meter
    const results = await callTools(calls, { ...parts, limits, meter, signal, emit })
    const callParts = calls.map(({ problem: _, ...call }): AssistantPart => ({ type: 'call', ...call }))
    this.#add({ role: 'assistant', parts: [...step.parts, ...callParts] }, { role: 'tool', results })
    this.#add(...((await parts.beforeNextStep?.(signal, this.#conversation)) ?? []))
  }

  /** Adds the text of a step. Reasoning is added only with the text or the calls that followed it. */
  #keepText({ text, reason, parts }: AgentStep): void {
    if (text === '') return
    const isWhole = reason === 'stop' && parts.length > 0
    this.#add({ role: 'assistant', parts: isWhole ? parts : [{ type: 'text', text }] })
  }
}

function failedModel(message: string, hint: string): AnswerEnd {
  return { reason: 'failed', error: new ContextError('unavailable', message, { hint }) }
}

function tooLong(tokens: number, maxTokens: number, hint: string): AnswerEnd {
  const message = `The conversation has ${tokens} tokens. At most ${maxTokens} can be sent.`
  return { reason: 'token-limit', error: new ContextError('over-limit', message, { hint }) }
}
