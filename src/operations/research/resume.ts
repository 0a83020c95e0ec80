import { sessionAnswer } from '../../research/answers.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** Resumes a session that was paused, planned, interrupted, or failed. */
export const resumeSession = defineOperation({
  name: 'research.resume',
  summary: 'Resume a research session where it stopped',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research resume last', does: 'continue without repeating finished work' }],
  inputs: { session },
  output: sessionAnswer,
  asks: () => false,
  run: async (engine, request) => {
    const research = await engine.research()
    const { session_id } = await research.show(request.session)
    await research.start(session_id)
    return research.show(session_id)
  },
  text: ({ session_id, status }) => `${session_id}: ${status}\n`,
})
