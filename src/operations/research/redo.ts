import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SessionAnswer } from '../../engine/engine.ts'
import { gradeTold } from '../../research/narration.ts'
import { session, sessionAnswerSchema } from './described.ts'

const input = { session } as const

/** Makes the report of a session again. */
export const redoReportOperation: Operation<Engine, InputOf<typeof input>, SessionAnswer> = {
  name: 'research.redo',
  summary: 'Write the report of a research session again from its findings',
  effect: 'write',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research redo last', does: 'write the report again without new searches' }],
  input: defineInputs(input),
  output: sessionAnswerSchema,
  asks: () => false,
  run: async (engine, request, { signal }) => (await engine.research()).redo(request.session, signal),
  text: ({ session_id, report }) =>
    `Written again; ${gradeTold(report?.grade)}. The report: ambit research export ${session_id}\n`,
}
