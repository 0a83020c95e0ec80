import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { researchInputs } from '../../research/input.ts'
import { sessionAnswerSchema } from './described.ts'

/** Begins research, and does not wait for its end. */
export const start: Operation<Engine, InputOf<typeof researchInputs>, SessionAnswer> = {
  name: 'research.start',
  summary: 'Begin research on a question, and go on while others are asked',
  effect: 'write',
  scope: 'research',
  positional: ['question'],
  examples: [
    {
      command: "ambit research start 'what does it cost?' --file offer.md",
      does: 'as "ambit research", without its view',
    },
  ],
  input: defineInputs(researchInputs),
  output: sessionAnswerSchema,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    const { session_id } = await research.begin(request)
    return research.show(session_id)
  },
  // A command line has nobody who goes on behind it.
  runTyped: async (engine, request, { signal }) => {
    const research = await engine.research()
    const { session_id } = await research.prepared(request)
    await research.run(session_id, signal ? { signal } : {})
    return research.show(session_id)
  },
  text: ({ session_id, status }) => `${session_id}: ${status}\n`,
}
