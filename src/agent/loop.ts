/** The loop: ask the model, do what it calls for, ask again, until it has answered or something ends it. */

import { ContextError, throwIfAborted } from '../core/errors.ts'
import { bytes4 } from '../core/tokens.ts'
import type { LanguageModel, Message, SaidPart, StepRequest, Usage } from '../models/language.ts'
import { done, type ReadCall, readCall } from './calls.ts'
import type { AgentEvent, End, EndReason } from './events.ts'
import { LIMITS, type Limits } from './limits.ts'
import { Repeats } from './repeats.ts'
import { type Step, stepOf, type WrittenCall } from './step.ts'
import type { AgentTool, Approve } from './tool.ts'

/** What a question is answered with. */
export interface AgentParts {
  readonly model: LanguageModel
  /** The same for all questions of a conversation, so that what the provider has kept of it holds. */
  readonly system: string
  readonly tools: readonly AgentTool[]
  readonly approve?: Approve
  /** Default: `LIMITS`. */
  readonly limits?: Partial<Limits>
  /**
   * What is to be said before the next request, besides what the tools gave: where a tool led the person elsewhere.
   * `conversation`: as it is by then.
   */
  between?(signal: AbortSignal, conversation: readonly Message[]): Promise<readonly Message[]>
}

/** Travels with a question: how to stop it, and who listens. */
export interface AgentRun {
  readonly signal?: AbortSignal
  emit(event: AgentEvent): void
}

export interface Outcome extends End {
  /** The last text that the model said; a part of one where it was ended. */
  readonly answer: string
  /** What came to the conversation: every call in it has its result. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly steps: number
}

const NO_USAGE: Usage = { input: 0, cached: 0, output: 0 }

/** Answers the last message. Never throws for what a model, a service or a tool does: that is how it ends. */
export async function answer(messages: readonly Message[], parts: AgentParts, run: AgentRun): Promise<Outcome> {
  const limits = { ...LIMITS, ...parts.limits }
  const late = AbortSignal.timeout(limits.ms)
  const signal = run.signal ? AbortSignal.any([late, run.signal]) : late
  const work = new Work(messages, { parts, limits, signal, emit: run.emit })
  const end = await work.toEnd().catch((error: unknown): End => {
    if (late.aborted && !run.signal?.aborted) return { reason: 'time-limit' }
    if (run.signal?.aborted) return { reason: 'cancelled' }
    if (!(error instanceof ContextError)) throw error
    return { reason: 'failed', error }
  })
  run.emit({ type: 'end', ...end })
  return { ...end, ...work.outcome() }
}

interface Around {
  readonly parts: AgentParts
  readonly limits: Limits
  readonly signal: AbortSignal
  emit(event: AgentEvent): void
}

class Work {
  readonly #before: readonly Message[]
  readonly #added: Message[] = []
  readonly #around: Around
  readonly #repeats = new Repeats()
  #usage = NO_USAGE
  #steps = 0
  #answer = ''
  #hasMended = false

  constructor(before: readonly Message[], around: Around) {
    this.#before = before
    this.#around = around
  }

  outcome(): Omit<Outcome, keyof End> {
    return { answer: this.#answer, messages: this.#added, usage: this.#usage, steps: this.#steps }
  }

  async toEnd(): Promise<End> {
    for (;;) {
      const end = await this.#next()
      if (end) return end
    }
  }

  /** One step; how it ended, if that was the last. */
  async #next(): Promise<End | undefined> {
    const { parts, limits, signal, emit } = this.#around
    throwIfAborted(signal)
    if (this.#steps >= limits.steps) return { reason: 'step-limit' }
    const tokens = limits.tokens - this.#usage.input - this.#usage.output
    const request = this.#request()
    const size = promptTokens(request)
    if (size > limits.promptTokens) return tooLong(size, limits.promptTokens)
    if (tokens <= 0) return { reason: 'token-limit' }
    emit({ type: 'step', number: ++this.#steps })
    const step = await stepOf(parts.model, request, { tokens, signal, emit })
    this.#count(step.usage)
    if (step.text !== '') this.#answer = step.text
    return this.#judge(step)
  }

  #request(): StepRequest {
    const { system, tools } = this.#around.parts
    return { system, messages: [...this.#before, ...this.#added], tools }
  }

  #count(step: Usage): void {
    const { input, cached, output } = this.#usage
    this.#usage = { input: input + step.input, cached: cached + step.cached, output: output + step.output }
    this.#around.emit({ type: 'usage', step, total: this.#usage })
  }

  /** A step that did not come to its end leaves its text alone: of its calls some are cut, and nothing is done of any. */
  async #judge(step: Step): Promise<End | undefined> {
    throwIfAborted(this.#around.signal)
    const reason = endOf(step)
    if (reason !== undefined) {
      this.#keepText(step)
      return { reason, ...(step.error && { error: step.error }) }
    }
    if (step.calls.length === 0) return this.#answered(step)
    const calls = step.calls.map(readCall)
    if (this.#repeats.isLoop(calls)) {
      this.#keepText(step)
      return { reason: 'loop' }
    }
    const isBroken = calls.some(({ problem }) => problem !== undefined)
    if (isBroken && this.#hasMended) {
      this.#keepText(step)
      return { reason: 'failed', error: noJsonTwice() }
    }
    this.#hasMended = isBroken
    await this.#do(step, calls)
    return undefined
  }

  #answered(step: Step): End {
    this.#keepText(step)
    return step.text.trim() === '' ? { reason: 'failed', error: saidNothing() } : { reason: 'done' }
  }

  /** A call is in the conversation together with its result, or not at all. */
  async #do(step: Step, calls: readonly ReadCall[]): Promise<void> {
    const { parts, limits, signal, emit } = this.#around
    const { tools, approve } = parts
    const results = await done(calls, { tools, approve, limits, signal, emit })
    const said: SaidPart[] = calls.map(({ problem: _, ...call }, at) => ({
      type: 'call',
      ...call,
      ...extraOf(step.calls[at]),
    }))
    this.#added.push({ role: 'assistant', parts: [...step.parts, ...said] }, { role: 'tool', results })
    this.#added.push(...((await parts.between?.(signal, [...this.#before, ...this.#added])) ?? []))
  }

  /** What was thought goes back only with what came of it. */
  #keepText({ text, reason, parts }: Step): void {
    if (text === '') return
    const isWhole = reason === 'stop' && parts.length > 0
    this.#added.push({ role: 'assistant', parts: isWhole ? parts : [{ type: 'text', text }] })
  }
}

function extraOf(call: WrittenCall | undefined): { readonly extra?: unknown } {
  return call?.extra === undefined ? {} : { extra: call.extra }
}

/** Why a step is the last, whatever it says; undefined for one that came to its end. */
function endOf({ reason, error }: Step): EndReason | undefined {
  if (error) return 'failed'
  if (reason === 'interrupted') return 'interrupted'
  if (reason === 'filter') return 'refused'
  if (reason === 'overflow' || reason === 'length') return 'token-limit'
  return undefined
}

function promptTokens({ system, messages, tools }: StepRequest): number {
  return (
    bytes4(system) + bytes4(JSON.stringify(tools)) + messages.reduce((sum, one) => sum + bytes4(JSON.stringify(one)), 0)
  )
}

function tooLong(tokens: number, most: number): End {
  const message = `The conversation has ${tokens} tokens, of which ${most} can be sent.`
  const error = new ContextError('over-limit', message, { hint: 'Begin a new one.' })
  return { reason: 'token-limit', error }
}

function saidNothing(): ContextError {
  return new ContextError('unavailable', 'The model gave an empty answer.', { hint: 'Ask again, or in other words.' })
}

function noJsonTwice(): ContextError {
  const hint = 'Another model may be better at calling tools.'
  return new ContextError('unavailable', 'The model called a tool twice with arguments that are no JSON.', { hint })
}
