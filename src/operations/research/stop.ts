import { sessionAnswer } from '../../research/answers.ts'
import { describeGrade } from '../../research/events.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** Ends a run for good, with a report of what it found. */
export const stop = defineOperation({
  name: 'research.stop',
  summary: 'Stop a research session for good, and write a report of what it found',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research stop 1f2e3d4c', does: 'stop it, whichever process runs it' }],
  inputs: { session },
  output: sessionAnswer,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    await research.stop(request.session)
    return research.show(request.session)
  },
  text: ({ session_id, report }) =>
    `Stopped; ${describeGrade(report?.grade)}. Its report: ambit research export ${session_id}\n`,
})
