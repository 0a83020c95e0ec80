import type { Operation } from '../core/operation.ts'
import type { Engine, InitAnswer } from '../engine.ts'
import { array, type Inputs, inputs, inputsOf, object, text, words } from '../schema.ts'
import { oneLine } from '../text/controls.ts'

const input = {
  place: inputs.place,
  agent: {
    type: 'string',
    enum: ['claude', 'codex', 'cursor', 'gemini', 'opencode'],
    description: 'set up this agent to load the context, instead of the skeletons',
  },
  write: { type: 'boolean', default: false, description: 'write the files, without asking' },
} as const

const file = () =>
  object({
    path: text,
    content: text,
    state: words('written', 'would-write', 'exists', 'merged', 'would-merge'),
    'note?': text,
  })

/** Skeletons of a context directory, or the configuration of an agent. */
export const init: Operation<Engine, Inputs<typeof input>, InitAnswer> = {
  name: 'init',
  summary: 'Set up a context directory, or an agent that loads it; never over an existing file',
  effect: 'write',
  positional: ['place'],
  examples: [
    { command: 'ambit init', does: 'show the skeletons, and write them when confirmed' },
    { command: 'ambit init --agent claude --write', does: 'add the hook to the settings of Claude Code' },
  ],
  input: inputsOf(input),
  output: () => object({ place: text, root: text, files: array(file()) }),
  run: (engine, request, run) => engine.init(request, run),
  text: ({ files }) => files.map(shown).join('\n'),
}

function shown({ path, state, note, content }: InitAnswer['files'][number]): string {
  const told = `${state}: ${oneLine(path)}${note ? ` (${note})` : ''}\n`
  return state.startsWith('would') ? `${told}\n${content}` : told
}
