/** A part of the work, done by the same model in a conversation of its own: of all that it reads, only its answer comes back. */

import type { LanguageModel, Message } from '../../models/language.ts'
import { framed } from '../../text/frames.ts'
import { inputsOf, textIn } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { answer } from '../loop.ts'
import type { AgentTool } from '../tool.ts'
import { DELEGATED } from './system.ts'

/** Requests that one task may take; tokens, time and cost are those of the question that it is a part of. */
const STEPS = 10

/** A conversation that begins where the person stands. */
export interface Begun {
  readonly model: LanguageModel
  /** What applies there. */
  readonly messages: readonly Message[]
  /** Those that look and do nothing else; not this one. */
  readonly tools: readonly AgentTool[]
  carried(older: readonly Message[], kept: readonly Message[], summary: string): readonly Message[]
}

export interface DelegateParts {
  begin(signal: AbortSignal): Promise<Begun>
  /** An element that gives what an answer cites its numbers. */
  cited(answer: string): string
}

export function delegateTool({ begin, cited }: DelegateParts): AgentTool {
  return {
    name: 'delegate',
    description:
      'Have a part of the work done by an assistant of your own, which looks things up as you do and knows nothing of ' +
      'this conversation: say all that it needs. Good for what takes much reading. Several can work side by side.',
    effect: 'read',
    ms: LIMITS.ms,
    input: {
      type: 'object',
      properties: { task: { type: 'string', description: 'what is to be found out, and how the answer should be' } },
      required: ['task'],
      additionalProperties: false,
    },
    run: async (input, signal, { meter, limits, emit }) => {
      const task = textIn(inputsOf(input, ['task']), 'task')
      const { model, messages, tools, carried } = await begin(signal)
      const outcome = await answer(
        [...messages, { role: 'user', text: task }],
        { model, system: DELEGATED, tools, carried, meter, limits: { ...limits, steps: STEPS } },
        { signal, emit },
      )
      const { reason, error } = outcome
      const why =
        reason === 'done' ? '' : framed({ tag: 'notice', attributes: {}, text: toldOf(reason, error?.message) })
      return `${cited(outcome.answer)}${framed({ tag: 'answer', attributes: {}, text: outcome.answer })}${why}`
    },
  }
}

function toldOf(reason: string, problem: string | undefined): string {
  return `It came to no end (${reason}): this is as far as it was.${problem === undefined ? '' : ` ${problem}`}`
}
