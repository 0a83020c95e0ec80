/** The loop: ask the model, run its calls, ask again, until it answers or a limit ends it. */

import { ContextError, throwIfAborted } from '../core/errors.ts'
import { Deadline } from '../core/steps.ts'
import type { LanguageModel, Message, SaidPart, StepRequest, Usage } from '../models/language.ts'
import type { AgentEvent, End, EndReason } from './events.ts'
import { callTools, type ReadCall, readCall } from './loop/calls.ts'
import { compactRequest } from './loop/compaction.ts'
import {
  AGENT_LIMITS,
  type AgentLimits,
  isOverflow,
  LAST_STEP,
  learnLimit,
  Meter,
  mostTokens,
  promptTokens,
  Repeats,
} from './loop/meter.ts'
import { type AgentStep, endReason, noJsonTwice, saidNothing, stepOf } from './loop/step.ts'
import { failedOn, ofExchange, ofStep, traceSpan, usageOn } from './loop/tracing.ts'
import type { AgentTool, AnswerServer, Approve } from './tool.ts'

export { stepOf }

/** Inputs of an answer. */
export interface AgentParts {
  readonly model: LanguageModel
  /** The same for all questions of a conversation, so that the provider's cache stays valid. */
  readonly system: string
  readonly tools: readonly AgentTool[]
  readonly approve?: Approve
  /** Asks the person the question of a tool server. Default: it is declined. */
  readonly answer?: AnswerServer
  /** Default: `AGENT_LIMITS`. */
  readonly limits?: Partial<AgentLimits>
  /** The meter of the question that a delegated task belongs to: it counts the usage of the task, too. */
  readonly meter?: Meter
  /**
   * Messages to send beside the `summary` of older messages: their context that still applies. Without this function, a conversation that is too long
   * is refused.
   */
  carried?(older: readonly Message[], kept: readonly Message[], summary: string): readonly Message[]
  /** Further messages before the next request, such as the context of a new place. `conversation`: its current messages. */
  between?(signal: AbortSignal, conversation: readonly Message[]): Promise<readonly Message[]>
}

/** Passed along with a question: the signal that stops it, and the listener for its events. */
export interface AgentRun {
  readonly signal?: AbortSignal
  emit(event: AgentEvent): void
}

export interface Outcome extends End {
  /** The last text of the model; incomplete if the step was stopped. */
  readonly answer: string
  /** Messages added to the conversation: every call in them has its result. */
  readonly messages: readonly Message[]
  /** The messages to send from now on: all of them, or the compacted conversation. */
  readonly conversation: readonly Message[]
  readonly usage: Usage
  readonly steps: number
}

/** Answers the last message. Errors of a model, a service or a tool are not thrown: they are the end of the outcome. */
export function runAgent(messages: readonly Message[], parts: AgentParts, run: AgentRun): Promise<Outcome> {
  return traceSpan(ofExchange(parts.model), async (span) => {
    const limits = { ...AGENT_LIMITS, ...parts.limits }
    using late = new Deadline(limits.ms)
    const work = new Exchange(messages, { parts, limits, signal: late.or(run.signal), emit: run.emit })
    const end = await work.toEnd().catch((error: unknown): End => {
      if (late.isOver && !run.signal?.aborted) return { reason: 'time-limit' }
      if (run.signal?.aborted) return { reason: 'cancelled' }
      if (!(error instanceof ContextError)) throw error
      return { reason: 'failed', error }
    })
    run.emit({ type: 'end', ...end })
    const outcome = { ...end, ...work.outcome() }
    usageOn(span, outcome.usage)
    if (end.reason !== 'done') failedOn(span, end.error?.code ?? end.reason)
    return outcome
  })
}

/** The share of the token limit from which a conversation is compacted. */
const COMPACT_FROM = 0.8

/** A prompt of fewer tokens is not compacted, even after a refusal for its length. */
const LEAST = 500

interface ExchangeParts {
  readonly parts: AgentParts
  readonly limits: AgentLimits
  readonly signal: AbortSignal
  emit(event: AgentEvent): void
}

class Exchange {
  readonly #added: Message[] = []
  #conversation: readonly Message[]
  readonly #around: ExchangeParts
  readonly #repeats = new Repeats()
  readonly #meter = new Meter()
  #steps = 0
  /** Whether this is the last step, which may not call tools. */
  #isLast = false
  #answer = ''
  #hasMended = false
  #compactFrom = 0
  /** Maximum tokens of a request: the limit, or fewer after a refusal of the service. */
  #most: number

  constructor(before: readonly Message[], around: ExchangeParts) {
    this.#conversation = before
    this.#most = mostTokens(around.parts.model, around.limits)
    this.#around = around
  }

  outcome(): Omit<Outcome, keyof End> {
    return {
      answer: this.#answer,
      messages: this.#added,
      conversation: this.#conversation,
      usage: this.#meter.total,
      steps: this.#steps,
    }
  }

  async toEnd(): Promise<End> {
    for (;;) {
      const end = await this.#next()
      if (end) return end
    }
  }

  /** Runs one step. Returns the end if it was the last. */
  async #next(): Promise<End | undefined> {
    const { limits, signal, emit } = this.#around
    throwIfAborted(signal)
    if (this.#steps >= limits.steps) return { reason: 'step-limit' }
    if (this.#steps > 0 && this.#steps === limits.steps - 1) this.#beginLast()
    const over = this.#isOver()
    if (over) return { reason: over }
    const size = await this.#sized()
    if (size > this.#most) return tooLong(size, this.#most)
    emit({ type: 'step', number: ++this.#steps })
    const step = await this.#step()
    this.#count(step.usage)
    if (this.#isShortened(step, size)) return undefined
    if (step.text !== '') this.#answer = step.text
    return this.#judge(step)
  }

  #step(): Promise<AgentStep> {
    const { parts, signal, emit } = this.#around
    return traceSpan(ofStep(parts.model), async (span) => {
      const step = await stepOf(parts.model, this.#request(), { tokens: this.#tokensLeft(), signal, emit })
      usageOn(span, step.usage)
      span.setAttribute('gen_ai.response.finish_reasons', [step.reason])
      if (step.error) failedOn(span, step.error.code)
      return step
    })
  }

  /** The tools stay in the request, so that the provider's cache stays valid and earlier calls are understood. */
  #request(): StepRequest {
    const { system, tools } = this.#around.parts
    return { system, messages: this.#conversation, tools, ...(this.#isLast && { callsNothing: true }) }
  }

  #beginLast(): void {
    this.#isLast = true
    this.#add({ role: 'context', text: LAST_STEP })
  }

  /** Whether the service refused the prompt for its length. Later prompts keep to the limit that it names. */
  #isShortened({ error }: AgentStep, size: number): boolean {
    if (!error || !isOverflow(error) || !this.#around.parts.carried || size < LEAST) return false
    this.#most = learnLimit(this.#around.parts.model, error, size)
    this.#compactFrom = 0
    return true
  }

  #isOver(): EndReason | undefined {
    if (this.#tokensLeft() <= 0) return 'token-limit'
    return this.#meters.some((meter) => meter.isPaidOut(this.#around.limits)) ? 'cost-limit' : undefined
  }

  /** The own meter, and that of the question to which a delegated task belongs. */
  get #meters(): readonly Meter[] {
    const { meter } = this.#around.parts
    return meter ? [this.#meter, meter] : [this.#meter]
  }

  #tokensLeft(): number {
    return Math.min(...this.#meters.map((meter) => meter.tokensLeft(this.#around.limits)))
  }

  #count(step: Usage): void {
    for (const meter of this.#meters) meter.add(step)
    this.#around.emit({ type: 'usage', step, total: this.#meter.total })
  }

  /** Tokens of the next request, after compacting a conversation near the maximum. */
  async #sized(): Promise<number> {
    const { parts, signal, emit } = this.#around
    const before = promptTokens(this.#request())
    const { carried } = parts
    if (!carried || before <= Math.max(this.#most * COMPACT_FROM, this.#compactFrom)) return before
    const shorter = await compactRequest(this.#request(), {
      model: parts.model,
      carried,
      tokens: this.#most,
      most: this.#tokensLeft(),
      signal,
      count: (usage) => this.#count(usage),
    })
    if (!shorter) return before
    const after = promptTokens({ ...this.#request(), messages: shorter.messages })
    if (after >= before) return before
    this.#conversation = shorter.messages
    // Keeps a conversation that could not be shortened further from being compacted at each step.
    this.#compactFrom = after * 1.2
    emit({ type: 'compacted', before, after, by: shorter.by })
    return after
  }

  #add(...messages: readonly Message[]): void {
    this.#added.push(...messages)
    this.#conversation = [...this.#conversation, ...messages]
  }

  /** Keeps only the text of a last step: its calls may be cut off, and are not run. */
  async #judge(step: AgentStep): Promise<End | undefined> {
    throwIfAborted(this.#around.signal)
    const calls = step.calls.map(readCall)
    const end = this.#endAfter(step, calls)
    if (end) this.#keepText(step)
    else await this.#do(step, calls)
    return end
  }

  #endAfter(step: AgentStep, calls: readonly ReadCall[]): End | undefined {
    const reason = endReason(step)
    if (reason !== undefined) return { reason, ...(step.error && { error: step.error }) }
    if (this.#isLast) return { reason: 'step-limit' }
    if (calls.length === 0)
      return step.text.trim() === '' ? { reason: 'failed', error: saidNothing() } : { reason: 'done' }
    if (this.#repeats.isLoop(calls)) return { reason: 'loop' }
    const isBroken = calls.some(({ problem }) => problem !== undefined)
    if (isBroken && this.#hasMended) return { reason: 'failed', error: noJsonTwice() }
    this.#hasMended = isBroken
    return undefined
  }

  /** Adds calls together with their results. */
  async #do(step: AgentStep, calls: readonly ReadCall[]): Promise<void> {
    const { parts, limits, signal, emit } = this.#around
    const { tools, approve, answer } = parts
    const meter = parts.meter ?? this.#meter
    const results = await callTools(calls, { tools, approve, answer, limits, meter, signal, emit })
    const made: SaidPart[] = calls.map(({ problem: _, ...call }, at) => {
      const { extra } = step.calls[at] ?? {}
      return { type: 'call', ...call, ...(extra !== undefined && { extra }) }
    })
    this.#add({ role: 'assistant', parts: [...step.parts, ...made] }, { role: 'tool', results })
    this.#add(...((await parts.between?.(signal, this.#conversation)) ?? []))
  }

  /** Reasoning is kept only with the text or calls that followed it. */
  #keepText({ text, reason, parts }: AgentStep): void {
    if (text === '') return
    const isWhole = reason === 'stop' && parts.length > 0
    this.#add({ role: 'assistant', parts: isWhole ? parts : [{ type: 'text', text }] })
  }
}

function tooLong(tokens: number, most: number): End {
  const message = `The conversation has ${tokens} tokens, of which ${most} can be sent.`
  const error = new ContextError('over-limit', message, { hint: 'Begin a new one.' })
  return { reason: 'token-limit', error }
}
