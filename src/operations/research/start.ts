import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { type Inputs, inputsOf } from '../schema.ts'
import { sessionAnswer } from './described.ts'

const words = (description: string, placeholder: string) =>
  ({ type: 'array', items: { type: 'string' }, placeholder, description }) as const

const input = {
  question: { type: 'string', isRequired: true, placeholder: 'QUESTION', description: 'what is to be found out' },
  files: words('files that it is grounded in', 'FILE'),
  collections: words('collections that are searched; default all that are not paused', 'NAME'),
  web: {
    type: 'string',
    enum: ['default', 'searxng', 'tavily', 'brave', 'exa', 'serper'],
    description: 'search the web, too, by this provider; "default" is the one that is set',
  },
  extractive: { type: 'boolean', default: false, description: 'do without models' },
  depth: { type: 'integer', minimum: 1, maximum: 6, description: 'levels of questions; default 3' },
  calls: { type: 'integer', minimum: 1, description: 'most requests to models; default 400' },
  follows: { type: 'string', placeholder: 'ID', description: 'a session whose findings and files it begins with' },
} as const

/** Begins research, and does not wait for its end. */
export const start: Operation<Engine, Inputs<typeof input>, SessionAnswer> = {
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
  input: inputsOf(input),
  output: sessionAnswer,
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
