import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { gradeTold } from '../../research/narration.ts'
import { session, sessionAnswerSchema } from './described.ts'

const input = { session } as const

/** Ends a run for good, with a report of what it found. */
export const stop: Operation<Engine, InputOf<typeof input>, SessionAnswer> = {
  name: 'research.stop',
  summary: 'Stop a research session for good, and write a report of what it found',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research stop 1f2e3d4c', does: 'stop it, whichever process runs it' }],
  input: defineInputs(input),
  output: sessionAnswerSchema,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    await research.stop(request.session)
    return research.show(request.session)
  },
  text: ({ session_id, report }) =>
    `Stopped; ${gradeTold(report?.grade)}. Its report: ambit research export ${session_id}\n`,
}
