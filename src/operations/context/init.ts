import type { InitAnswer } from '../../context/answers.ts'
import { AGENT_NAMES } from '../../core/choices.ts'
import { initAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { lineDiff } from '../../text/line-diff.ts'
import { defineOperation, inputs } from '../schema.ts'

/** Skeletons of a context directory, and the configuration of an agent. */
export const initOperation = defineOperation({
  name: 'init',
  summary: 'Set up a coding agent, so that it gets its context from Ambit; or create a context directory',
  effect: 'write',
  scope: 'admin',
  positional: ['place'],
  examples: [
    { command: 'ambit init', does: 'create the files of a context directory that are missing' },
    { command: 'ambit init --agent claude', does: 'show the hooks for Claude Code, and ask before writing them' },
    {
      command: 'ambit init --agent claude --user --write',
      does: 'add the hooks to your own settings, for all projects',
    },
    { command: 'ambit init --agent claude --task', does: 'add relevant code to the first prompt, too' },
    { command: 'ambit init --agent claude --remove --write', does: 'remove the hooks from the project' },
  ],
  inputs: {
    place: inputs.place,
    agent: {
      is: 'choice',
      of: AGENT_NAMES,
      description: 'set up this agent',
    },
    project: { is: 'flag', description: 'write the settings of the project, for all who work on it (default)' },
    user: { is: 'flag', description: 'write your own settings, for all projects' },
    local: { is: 'flag', description: 'write your own settings, for this project' },
    task: { is: 'flag', description: 'let the hook add relevant code to the first prompt of a session' },
    remove: { is: 'flag', description: "remove from the agent's settings what Ambit added" },
    skeletons: {
      is: 'flag',
      description: 'write the skeletons of a context directory, too; this is the default without --agent',
    },
    write: { is: 'flag', description: 'write without asking; --no-write only shows what would be written' },
  },
  output: initAnswer,
  asks: ({ agent }) => agent !== undefined,
  run: (engine, request, run) => engine.init(request, run),
  text: ({ files }) => `${files.map(fileText).join('')}${files.some(isPlan) ? UNWRITTEN : ''}`,
})

const UNWRITTEN = '\nNothing is written yet. Add --write to write it.\n'

function isPlan({ state }: InitAnswer['files'][number]): boolean {
  return state.startsWith('would')
}

/** A skeleton is long, and changes nothing that is there: its name is enough. Of other files, what would change. */
function fileText(file: InitAnswer['files'][number]): string {
  const { path, state, note, content, before = '' } = file
  const lines = `${state}: ${oneLine(path)}\n${note ? `  ${oneLine(note)}\n` : ''}`
  return isPlan(file) && !path.endsWith('.md')
    ? `${lines}${lineDiff(oneLine(path.replace(/^\//, '')), before, content)}`
    : lines
}
