import { SEARCH_PROVIDERS } from '../../core/choices.ts'
import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { sessionAnswerSchema } from './described.ts'

const input = {
  question: { is: 'text', required: true, placeholder: 'QUESTION', description: 'what is to be found out' },
  files: { is: 'file', list: true, placeholder: 'FILE', description: 'files that it is grounded in' },
  collections: {
    is: 'text',
    list: true,
    placeholder: 'NAME',
    description: 'collections that are searched; default all that are not paused',
  },
  web: {
    is: 'choice',
    of: ['default', ...SEARCH_PROVIDERS],
    description: 'search the web, too, by this provider; "default" is the one that is set',
  },
  extractive: { is: 'flag', default: false, description: 'do without models' },
  depth: { is: 'integer', minimum: 1, maximum: 6, description: 'levels of questions; default 3' },
  calls: { is: 'integer', minimum: 1, description: 'most requests to models; default 400' },
  follows: { is: 'text', placeholder: 'ID', description: 'a session whose findings and files it begins with' },
} as const

/** Begins research, and does not wait for its end. */
export const start: Operation<Engine, InputOf<typeof input>, SessionAnswer> = {
  name: 'research.start',
  summary: 'Begin research on a question, and go on while others are asked',
  effect: 'write',
  scope: 'research',
  positional: ['question'],
  examples: [
    {
      command: "ambit research start 'what does it cost?' --files offer.md",
      does: 'as "ambit research", without its view',
    },
  ],
  input: defineInputs(input),
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
