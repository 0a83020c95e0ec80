import { type SessionAnswer, sessionAnswer } from '../../research/answers.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** A session with its files, its tree, and what each question was given. */
export const showSession = defineOperation({
  name: 'research.show',
  summary: 'Show a research session: its files, its questions, and the evidence for each',
  effect: 'read',
  scope: 'research',
  positional: ['session'],
  examples: [{ command: 'ambit research show 1f2e3d4c', does: 'show the tree of its questions' }],
  tool: {
    name: 'research_status',
    set: 'research',
    about: 'The progress and findings of a research session',
    inputs: { session: 'id, or "last"' },
    data: ({ settings: _, report, ...session }) => ({
      ...session,
      report: report && { grade: report.grade, gaps: report.gaps },
    }),
  },
  inputs: { session },
  output: sessionAnswer,
  run: async (engine, request) => (await engine.research()).show(request.session),
  // A local user may see the slices that a server hides.
  runTyped: async (engine, request) => (await engine.research()).show(request.session, true),
  text: (answer) => [...sessionHeader(answer), ...answer.nodes.map(nodeLine)].map((line) => `${line}\n`).join(''),
})

function sessionHeader({ session_id, question, status, files, failure, report }: SessionAnswer): string[] {
  const fileLines = files.map(
    ({ alias, status: state, reason }) =>
      `  ${oneLine(alias)}: ${state}${reason === undefined ? '' : `, ${oneLine(reason)}`}`,
  )
  return [
    oneLine(question),
    `${session_id}: ${status}${report ? `; evidence ${report.grade}` : ''}`,
    ...(failure ? [oneLine(`${failure.message} ${failure.hint ?? ''}`)] : []),
    ...(fileLines.length > 0 ? ['', countNoun(fileLines.length, 'file'), ...fileLines] : []),
    '',
  ]
}

function nodeLine({ id, question, status, evidence, slice, orphans }: SessionAnswer['nodes'][number]): string {
  const given = slice ? `${slice.selected_items_count} items` : ''
  const left = orphans.length > 0 ? `${orphans.length} of no child` : ''
  const about = [given, left, ...evidence].filter((part) => part !== '').join(', ')
  return `${'  '.repeat(id.split('.').length - 1)}${id} ${oneLine(question)} [${status}${about === '' ? '' : `; ${about}`}]`
}
