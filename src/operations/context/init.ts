import { AGENT_NAMES } from '../../core/choices.ts'
import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, InitAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { array, inputs, object, oneOf, text } from '../schema.ts'

const input = {
  place: inputs.place,
  agent: {
    is: 'choice',
    of: AGENT_NAMES,
    description: 'set up this agent, so that what applies reaches it',
  },
  project: { is: 'flag', description: 'for all who work on the project; the default' },
  user: { is: 'flag', description: 'for you, in all projects' },
  local: { is: 'flag', description: 'for you, in this project' },
  task: { is: 'flag', description: 'the hook brings code that bears on the first prompt of a session, too' },
  remove: { is: 'flag', description: "take out of the agent's settings what was put in" },
  skeletons: { is: 'flag', description: 'write the skeletons, too; without an agent they are written anyway' },
  write: { is: 'flag', description: 'write without asking; skeletons are written anyway, unless --no-write' },
} as const

const file = () =>
  object({
    path: text,
    content: text,
    state: oneOf('written', 'would-write', 'exists', 'merged', 'would-merge', 'removed', 'would-remove', 'absent'),
    'note?': text,
  })

/** Skeletons of a context directory, and the configuration of an agent. */
export const initOperation: Operation<Engine, InputOf<typeof input>, InitAnswer> = {
  name: 'init',
  summary: 'Write the skeletons of a context directory, or set up an agent, so that what applies reaches it',
  effect: 'write',
  scope: 'admin',
  positional: ['place'],
  examples: [
    { command: 'ambit init', does: 'write the skeletons that are not there yet' },
    { command: 'ambit init --agent claude', does: 'show the hooks for Claude Code, and ask before they are written' },
    { command: 'ambit init --agent claude --user --write', does: 'add them for yourself, in all projects' },
    { command: 'ambit init --agent claude --task', does: 'hooks that bring code for the first prompt, too' },
    { command: 'ambit init --agent claude --remove --write', does: 'take them out of the project again' },
  ],
  input: defineInputs(input),
  output: () => object({ place: text, root: text, files: array(file()) }),
  asks: ({ agent }) => agent !== undefined,
  run: (engine, request, run) => engine.init(request, run),
  text: ({ files }) => `${files.map(fileText).join('\n')}${files.some(isPlan) ? UNWRITTEN : ''}`,
}

const UNWRITTEN = '\nNothing is written yet: --write does it.\n'

function isPlan({ state }: InitAnswer['files'][number]): boolean {
  return state.startsWith('would')
}

/** A skeleton is long, and changes nothing that is there: its name is enough. */
function fileText(file: InitAnswer['files'][number]): string {
  const { path, state, note, content } = file
  const told = `${state}: ${oneLine(path)}${note ? ` (${note})` : ''}\n`
  return isPlan(file) && !path.endsWith('.md') ? `${told}\n${content}` : told
}
