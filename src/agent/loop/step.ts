/** One request to the model and its result. */

import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { AssistantPart, FinishReason, LanguageModel, StepPart, StepRequest, Usage } from '../../models/language.ts'
import { countedUsage } from '../../models/prices.ts'
import type { AgentEvent, EndReason } from '../events.ts'
import { promptTokens } from './meter.ts'

/** A call as the model wrote it. It runs only after its step is complete and its input parsed. */
export type WrittenCall = Omit<Extract<StepPart, { readonly type: 'call' }>, 'type'>

export type AgentStep = Awaited<ReturnType<typeof requestStep>>

/**
 * Asks the model once. `tokens`: the remaining tokens. Returns:
 *
 * - `parts`, without the calls. After an error, the parts before it.
 * - `reason`: why the step ended; `overflow` if the answer is longer than the remaining tokens.
 * - `usage` as the service reports it, and `counted`, the usage that limits count.
 * - `error`: why the step is incomplete.
 *
 * @throws any error except a ContextError, which is returned.
 */
export async function requestStep(
  model: LanguageModel,
  request: StepRequest,
  { tokens, signal, emit }: { readonly tokens: number; readonly signal: AbortSignal; emit(event: AgentEvent): void },
) {
  const parts: AssistantPart[] = []
  const calls: WrittenCall[] = []
  let text = ''
  let finish: Partial<Extract<StepPart, { readonly type: 'finish' }>> = {}
  // UTF-16 units of text and calls so far.
  let utf16Units = 0
  let thoughtUnits = 0
  const result = (reason: FinishReason | 'overflow' = finish.reason ?? 'interrupted', error?: ContextError) => {
    const thought = Math.ceil(thoughtUnits / 4)
    const output = thought + bytes4(text) + calls.reduce((sum, { input }) => sum + bytes4(input), 0)
    const usage: Usage = finish.usage ?? { input: 0, cached: 0, output }
    // A service does not charge for a request that it refuses.
    const isRefused = error !== undefined && parts.length === 0 && output === 0
    const estimate = isRefused ? usage : { input: promptTokens(request), output }
    const counted = countedUsage(usage, estimate, model.price)
    return { parts, text, calls, reason, usage, counted, ...(error && { error }) }
  }
  try {
    for await (const part of model.step(request, signal)) {
      if (part.type === 'waiting') emit(part)
      else if (part.type === 'finish') finish = part
      else if (part.type === 'text') {
        emit({ type: 'text', text: part.text })
        text += part.text
        utf16Units += part.text.length
      } else if (part.type === 'call') {
        const { type: _, ...call } = part
        calls.push(call)
        utf16Units += call.input.length
      } else if (part.type === 'thinking') thoughtUnits += part.length
      else {
        parts.push(part.part)
        const thought = part.part.type === 'reasoning' ? part.part.text : ''
        if (thought.trim() !== '') emit({ type: 'thought', text: thought })
      }
      // Stops an endless answer. We estimate a token as four bytes, which are at most four UTF-16 units; a service may count
      // fewer tokens.
      if (utf16Units + thoughtUnits > tokens * 4) return result('overflow')
    }
    return result()
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return result('interrupted', error)
  }
}

/** The reason to end the agent loop after an incomplete step; undefined for a complete step. */
export function endReason({ reason, error }: AgentStep): EndReason | undefined {
  if (error) return 'failed'
  if (reason === 'interrupted') return 'interrupted'
  if (reason === 'filter') return 'refused'
  return reason === 'overflow' || reason === 'length' ? 'token-limit' : undefined
}
