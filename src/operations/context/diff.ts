import { type DiffAnswer, diffAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation, inputs } from '../schema.ts'

const { place, touched, home } = inputs

/** Which tool sees which instruction file. */
export const diffOperation = defineOperation({
  name: 'diff',
  summary: 'Compare which instruction files each agent tool loads at a place',
  effect: 'read',
  positional: ['place'],
  examples: [{ command: 'ambit diff --profile claude,codex', does: 'show what one tool loads and the other does not' }],
  inputs: {
    place,
    profile: {
      is: 'path',
      path: 'profile',
      default: 'ambit,claude,codex',
      placeholder: 'NAMES',
      description: 'the tools to compare, or files with a profile; separate them by commas',
    },
    strict: {
      is: 'flag',
      default: false,
      description: 'show what Ambit would load for each tool: no ignored files',
    },
    touched,
    home,
  },
  output: diffAnswer,
  run: (engine, { profile, ...request }, run) => {
    const profiles = profile.split(',').flatMap((name) => name.trim() || [])
    return engine.diff({ ...request, profiles }, run)
  },
  text: ({ profiles, files }) => {
    const names = profiles.map(({ name }) => name)
    const rows = files.map(({ title, seen }) => [oneLine(title), ...names.map((name) => verdict(seen[name]))])
    return [['file', ...names], ...rows].map((row) => `${row.join('\t')}\n`).join('')
  },
})

function verdict(seen: DiffAnswer['files'][number]['seen'][string] | undefined): string {
  if (!seen) return '-'
  return seen.decision === 'left' ? `${seen.why}` : `${seen.tokensAfter}${seen.decision === 'kept' ? '' : ' (cut)'}`
}
