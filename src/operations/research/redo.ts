import { sessionAnswer } from '../../research/answers.ts'
import { describeGrade } from '../../research/events.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** Makes the report of a session again. */
export const redoReportOperation = defineOperation({
  name: 'research.redo',
  summary: 'Write the report of a research session again from its findings',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research redo last', does: 'write the report again without new searches' }],
  inputs: { session },
  output: sessionAnswer,
  asks: () => false,
  run: async (engine, request, { signal }) => (await engine.research()).redo(request.session, signal),
  text: ({ session_id, report }) =>
    `Written again; ${describeGrade(report?.grade)}. The report: ambit research export ${session_id}\n`,
})
