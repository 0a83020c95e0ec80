import { type DiffAnswer, diffAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation, inputs } from '../schema.ts'

const { place, touched, home } = inputs

/** Which tool sees which instruction file. */
export const diffOperation = defineOperation({
  name: 'diff',
  summary: 'Show whether each agent tool gets every rule of a project, and how to mend it',
  effect: 'read',
  positional: ['place'],
  examples: [{ command: 'ambit diff --profile claude,codex', does: 'show what one tool loads and the other does not' }],
  inputs: {
    place,
    profile: {
      is: 'path',
      path: 'profile',
      placeholder: 'NAMES',
      description:
        'the tools to compare, or files with a profile; separate them by commas; default the tools that are used here',
    },
    check: { is: 'flag', default: false, description: 'end with 1 if a tool misses a rule' },
    strict: {
      is: 'flag',
      default: false,
      description: 'show what Ambit would load for each tool: no ignored files',
    },
    touched,
    home,
  },
  output: diffAnswer,
  run: (engine, { profile, check: _, ...request }, run) => {
    const profiles = profile?.split(',').flatMap((name) => name.trim() || [])
    return engine.diff({ ...request, profiles }, run)
  },
  failed: ({ agents }, input) => input?.check === true && agents.some(({ missing }) => missing.length > 0),
  text: ({ agents, profiles, files }) => {
    const names = profiles.map(({ name }) => name)
    const rows = files.map(({ title, seen }) => [oneLine(title), ...names.map((name) => verdict(seen[name]))])
    const table = [['file', ...names], ...rows].map((row) => `${row.join('\t')}\n`).join('')
    return [...agents.map(agentText), table].join(agents.length > 0 ? '\n' : '')
  },
})

function agentText({ agent, missing }: DiffAnswer['agents'][number]): string {
  const lines = missing.map(
    ({ title, reason, mend }) => `  ${oneLine(title)}: ${oneLine(reason)}\n    ${oneLine(mend)}\n`,
  )
  return `${agent}  ${missing.length === 0 ? 'complete' : `missing ${missing.length}`}\n${lines.join('')}`
}

function verdict(seen: DiffAnswer['files'][number]['seen'][string] | undefined): string {
  if (!seen) return '-'
  return seen.decision === 'left' ? `${seen.why}` : `${seen.tokensAfter}${seen.decision === 'kept' ? '' : ' (cut)'}`
}
