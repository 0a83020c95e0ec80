import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, ExportAnswer } from '../../engine/engine.ts'
import { object, oneOf, text } from '../schema.ts'
import { reportSchema, session } from './described.ts'

const input = {
  session,
  format: {
    is: 'choice',
    of: ['md', 'html'],
    default: 'md',
    description: 'how the report is written; as JSON it has all that it rests on',
  },
} as const

/** The report of a session. */
export const exportReport: Operation<Engine, InputOf<typeof input>, ExportAnswer> = {
  name: 'research.export',
  summary: 'Print the report of a session of research',
  effect: 'read',
  scope: 'research',
  positional: ['session'],
  examples: [
    { command: 'ambit research export 1f2e3d4c > report.md', does: 'as Markdown' },
    {
      command: 'ambit research export 1f2e3d4c --format html > report.html',
      does: 'as a page that needs nothing else',
    },
    { command: 'ambit research export 1f2e3d4c --json', does: 'with the place and the text of each source' },
  ],
  tool: {
    name: 'research_report',
    set: 'research',
    about: 'The report of a research session, with citations',
    inputs: { session: 'id, or "last"' },
    data: ({ report: { sources: _, markdown: __, ...report }, ...answer }) => ({ ...answer, report }),
    most: 48_000,
  },
  input: defineInputs(input),
  output: () => object({ session_id: text, format: oneOf('md', 'html'), text, report: reportSchema() }),
  run: async (engine, { session: id, format }) => (await engine.research()).exported(id, format),
  text: (answer) => answer.text,
}
