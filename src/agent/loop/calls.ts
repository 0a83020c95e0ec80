/** Runs the calls of one step: validates them, asks for approval, and runs them in parallel. An error becomes a result. */

import { asContextError, ContextError, cancelledError, invalidInput, throwIfAborted } from '../../core/errors.ts'
import { Deadline, mapParallel, untilAborted } from '../../core/steps.ts'
import type { ToolResult } from '../../models/language.ts'
import { neutralise } from '../../text/invisible.ts'
import { clipBytes } from '../../text/truncate.ts'
import { escapeText } from '../../text/xml.ts'
import type { AgentCall, AgentEvent } from '../events.ts'
import { type AgentTool, type Approve, type CallContext, ServerFailure, type ToolOutput } from '../tool.ts'
import type { WrittenCall } from './step.ts'
import { recordFailure, toolSpan, traceSpan } from './tracing.ts'

/** A call with its parsed input, or the problem of its JSON. */
export interface ParsedCall extends AgentCall {
  /** Why the input could not be parsed. */
  readonly problem?: string
  /** Opaque data that the provider wants back. */
  readonly extra?: unknown
}

export interface CallParts extends Omit<CallContext, 'id'> {
  readonly tools: readonly AgentTool[]
  /** Default: tools that write are refused. */
  readonly approve?: Approve | undefined
  readonly signal: AbortSignal
}

/** Parses the input of a call. Empty input means `{}`, because some models write it so. */
export function parseCall({ input, ...call }: WrittenCall): ParsedCall {
  try {
    return { ...call, input: input.trim() === '' ? {} : JSON.parse(input) }
  } catch (error) {
    return { ...call, input: {}, problem: Object(error).message }
  }
}

/** Results of the calls, in their order. @throws ContextError `cancelled`. */
export async function callTools(calls: readonly ParsedCall[], parts: CallParts): Promise<ToolResult[]> {
  const { limits, emit } = parts
  for (const { id, tool, input } of calls) emit({ type: 'tool-started', id, tool, input })
  const run = ([index, call]: [number, ParsedCall]) => callTool(call, index < limits.calls, parts)
  const results = await mapParallel(calls.entries(), { atOnce: limits.atOnce }, run)
  throwIfAborted(parts.signal)
  return results
}

function callTool({ problem, id, tool, input }: ParsedCall, isWithinLimit: boolean, parts: CallParts) {
  const finish = (type: 'tool-finished' | 'tool-failed', { text, images }: ToolOutput): ToolResult => {
    parts.emit({ type, id, tool, input, result: text })
    return { id, tool, text, isError: type === 'tool-failed', ...(images?.length && { images }) }
  }
  return traceSpan(toolSpan(tool, id), async (span) => {
    try {
      const { calls: max } = parts.limits
      if (!isWithinLimit)
        throw new ContextError('over-limit', `At most ${max} calls run at once.`, { hint: 'Call it again by itself.' })
      const hint = 'Nothing was done. Call it again with a JSON object.'
      if (problem !== undefined) throw invalidInput(`The arguments are not JSON: ${problem}`, hint)
      return finish('tool-finished', await outputOf({ id, tool, input }, parts))
    } catch (error) {
      const contextError = asContextError(error)
      recordFailure(span, contextError?.code ?? '_OTHER')
      return finish('tool-failed', { text: contextError ? messageOf(contextError) : TOOL_BUG })
    }
  })
}

const TOOL_BUG = 'internal: The tool failed. This is a bug in Ambit.'

/**
 * The error for the model: `not-found: There is no x.`, and the hint on the next line. An error of a tool server has
 * the server's words in an XML element; in other errors, tags are escaped.
 */
function messageOf(error: ContextError): string {
  if (error instanceof ServerFailure) return error.framed
  const { code, message, hint } = error
  return escapeText(neutralise(`${code}: ${message}${hint === undefined ? '' : `\n${hint}`}`).text)
}

async function outputOf(call: AgentCall, parts: CallParts): Promise<ToolOutput> {
  const { tools, approve, limits, signal } = parts
  throwIfAborted(signal)
  const tool = tools.find(({ name }) => name === call.tool)
  if (!tool) {
    const hint = `Tools: ${tools.map(({ name }) => name).join(', ') || 'none'}.`
    throw new ContextError('not-found', `There is no tool called ${JSON.stringify(call.tool.slice(0, 100))}.`, { hint })
  }
  // Does not wait for the person once the answer is stopped.
  if (tool.effect === 'write' && !(approve && (await untilAborted(approve(call, signal), signal)))) {
    const hint = 'Do not try it again unless the person asks for it.'
    throw new ContextError('denied', `The person did not allow ${tool.name}.`, { hint })
  }
  const result = await callWithin(tool, call, parts)
  const output = typeof result === 'string' ? { text: result } : result
  const [size, limit] = [Buffer.byteLength(output.text), limits.resultBytes]
  if (size <= limit) return output
  const cut = () => `${clipBytes(output.text, limit)}\n[cut: ${limit} of ${size} bytes are shown]`
  return { ...output, text: tool.cut?.(output.text, limit) ?? cut() }
}

/** Runs a tool, and stops waiting at the time limit, even if the tool ignores its signal. */
async function callWithin(tool: AgentTool, { id, input }: AgentCall, parts: CallParts) {
  const { limits, meter, signal, emit, answer } = parts
  const ms = tool.ms ?? limits.callMs
  using deadline = new Deadline(ms)
  const callSignal = deadline.or(signal)
  const why = () => (signal.aborted ? cancelledError(signal) : timeoutError(tool.name, ms))
  let hasEnded = false
  // A call that continues after its time limit emits nothing more.
  const emitWithin = (event: AgentEvent) => !hasEnded && emit({ type: 'within', id, event })
  const context = { id, limits, meter, answer, emit: emitWithin }
  try {
    return await untilAborted(tool.run(input, callSignal, context), callSignal, why)
  } catch (error) {
    // A tool that obeys the signal throws `cancelled`.
    if (callSignal.aborted && !signal.aborted) throw timeoutError(tool.name, ms)
    throw error
  } finally {
    hasEnded = true
  }
}

function timeoutError(name: string, ms: number): ContextError {
  const hint = 'Ask for less, or continue without it.'
  return new ContextError('unavailable', `${name} took longer than ${ms / 1000} seconds.`, { hint })
}
