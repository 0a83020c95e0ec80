/** One request to the model and its result. */

import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { FinishReason, LanguageModel, SaidPart, StepPart, StepRequest, Usage } from '../../models/language.ts'
import type { AgentEvent, EndReason } from '../events.ts'

/** A call as the model wrote it. It runs only after its step is complete and its input parsed. */
export type WrittenCall = Omit<Extract<StepPart, { readonly type: 'call' }>, 'type'>

export interface AgentStep {
  /** The parts without the calls. */
  readonly parts: readonly SaidPart[]
  readonly text: string
  readonly calls: readonly WrittenCall[]
  /** `overflow`: the answer was longer than the tokens that are left. */
  readonly reason: FinishReason | 'overflow'
  readonly usage: Usage
  /** Why the step is incomplete. The parts before the error stay. */
  readonly error?: ContextError
}

/** Asks the model once. `tokens`: the remaining tokens. @throws errors that are not of the model. */
export async function stepOf(
  model: LanguageModel,
  request: StepRequest,
  { tokens, signal, emit }: { readonly tokens: number; readonly signal: AbortSignal; emit(event: AgentEvent): void },
): Promise<AgentStep> {
  const step = new StepReader()
  const most = tokens * 4
  try {
    for await (const part of model.step(request, signal)) {
      if (part.type === 'waiting') emit(part)
      if (part.type === 'text') emit({ type: 'text', text: part.text })
      if (part.type === 'part' && part.part.type === 'reasoning' && part.part.text.trim() !== '') {
        emit({ type: 'thought', text: part.part.text })
      }
      step.add(part)
      // Stops an endless answer. The estimate is safe: a UTF-16 unit is at least a byte.
      if (step.units > most) return step.result('overflow')
    }
    return step.result()
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return step.result('interrupted', error)
  }
}

class StepReader {
  readonly #parts: SaidPart[] = []
  readonly #calls: WrittenCall[] = []
  readonly #texts: string[] = []
  #finish: Extract<StepPart, { readonly type: 'finish' }> | undefined
  /** UTF-16 units so far. */
  units = 0

  add(part: StepPart): void {
    switch (part.type) {
      case 'text':
        this.#texts.push(part.text)
        this.units += part.text.length
        break
      case 'part':
        this.#parts.push(part.part)
        if (part.part.type === 'reasoning') this.units += part.part.text.length
        break
      case 'call': {
        const { type: _, ...call } = part
        this.#calls.push(call)
        this.units += call.input.length
        break
      }
      case 'finish':
        this.#finish = part
    }
  }

  result(reason?: AgentStep['reason'], error?: ContextError): AgentStep {
    const { reason: finished = 'interrupted', usage } = this.#finish ?? {}
    const text = this.#texts.join('')
    const output = bytes4(text) + this.#calls.reduce((sum, { input }) => sum + bytes4(input), 0)
    return {
      parts: this.#parts,
      text,
      calls: this.#calls,
      reason: reason ?? finished,
      usage: usage ?? { input: 0, cached: 0, output },
      ...(error && { error }),
    }
  }
}

/** Why a step is the last regardless of its content; undefined for a complete step. */
export function endReason({ reason, error }: AgentStep): EndReason | undefined {
  if (error) return 'failed'
  if (reason === 'interrupted') return 'interrupted'
  if (reason === 'filter') return 'refused'
  if (reason === 'overflow' || reason === 'length') return 'token-limit'
  return undefined
}

export function saidNothing(): ContextError {
  return new ContextError('unavailable', 'The model gave an empty answer.', { hint: 'Ask again, or in other words.' })
}

export function noJsonTwice(): ContextError {
  const hint = 'Another model may be better at calling tools.'
  return new ContextError('unavailable', 'The model called a tool twice with arguments that are not JSON.', { hint })
}
