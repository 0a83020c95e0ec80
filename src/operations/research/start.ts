import { sessionAnswer } from '../../research/answers.ts'
import { researchInputs } from '../../research/input.ts'
import { defineOperation } from '../schema.ts'

/** Begins research, and does not wait for its end. */
export const start = defineOperation({
  name: 'research.start',
  summary: 'Start research on a question in the background',
  effect: 'write',
  scope: 'research',
  positional: ['question'],
  examples: [
    {
      command: "ambit research start 'what does it cost?' --file offer.md",
      does: 'start it, and return at once',
    },
  ],
  tool: {
    name: 'research_start',
    set: 'research',
    about:
      'Start research on a question in files and collections. It runs in the background: call research_status with its ' +
      'session_id until it is completed, then research_report',
    inputs: {
      question: 'the question',
      files: 'files to answer from',
      collections: 'default all',
      web: 'also search the web with this provider',
      extractive: 'without models',
      depth: 'levels of questions',
      calls: 'most model requests',
      follows: 'a session to continue',
    },
    always: true,
  },
  inputs: researchInputs,
  output: sessionAnswer,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    const { session_id } = await research.begin(request)
    return research.show(session_id)
  },
  // A command line has no background: it does the work itself.
  runTyped: async (engine, request, { signal }) => {
    const research = await engine.research()
    const { session_id } = await research.prepared(request)
    await research.run(session_id, signal ? { signal } : {})
    return research.show(session_id)
  },
  text: ({ session_id, status }) => `${session_id}: ${status}\n`,
})
