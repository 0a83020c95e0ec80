import { sessionListAnswer } from '../../research/answers.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** The sessions of research, the newest first. */
export const listSessions = defineOperation({
  name: 'research.list',
  summary: 'List research sessions, the newest first',
  effect: 'read',
  scope: 'research',
  examples: [{ command: 'ambit research list', does: 'show the question and state of each' }],
  inputs: {
    limit: { is: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'maximum number of sessions' },
    before: { is: 'text', placeholder: 'ID', description: 'list sessions older than this one' },
  },
  output: sessionListAnswer,
  run: async (engine, { limit, before }) => (await engine.research()).list(limit, before),
  text: ({ sessions }) => {
    if (sessions.length === 0) return 'There is no research yet. Begin some: ambit research QUESTION --file PATH\n'
    const rows = sessions.map(({ session_id, status, created_at, question }) => [
      session_id.slice(0, 8),
      status,
      created_at.slice(0, 16).replace('T', ' '),
      oneLine(question),
    ])
    return alignRows(rows)
  },
})
