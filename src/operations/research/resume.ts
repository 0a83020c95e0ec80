import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { session, sessionAnswerSchema } from './described.ts'

const input = { session } as const

/** Goes on with a session that was paused, planned, interrupted, or failed. */
export const resumeSession: Operation<Engine, InputOf<typeof input>, SessionAnswer> = {
  name: 'research.resume',
  summary: 'Resume a research session where it stopped',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research resume last', does: 'continue without repeating finished work' }],
  input: defineInputs(input),
  output: sessionAnswerSchema,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    const { session_id } = await research.show(request.session)
    await research.start(session_id)
    return research.show(session_id)
  },
  text: ({ session_id, status }) => `${session_id}: ${status}\n`,
}
