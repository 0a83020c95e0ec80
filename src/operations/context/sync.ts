import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, SyncAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { lineDiff } from '../../text/line-diff.ts'
import { array, flag, inputs, object, oneOf, text } from '../schema.ts'

const input = {
  place: inputs.place,
  agent: {
    is: 'text',
    list: true,
    placeholder: 'NAME',
    description: 'write for this agent; default the agents that are used here',
  },
  check: { is: 'flag', default: false, description: 'write nothing, and end with 1 if a file is out of date' },
  dryRun: { is: 'flag', default: false, description: 'write nothing, and print what would change as a diff' },
  import: { is: 'flag', default: false, description: 'write the rules that agents have here into .agents/rules' },
  remove: { is: 'flag', default: false, description: 'remove the files that sync wrote' },
  gitignore: { is: 'flag', default: false, description: 'list the files that sync writes in .gitignore' },
} as const

/** The rule files of tools without hooks. */
export const syncOperation: Operation<Engine, InputOf<typeof input>, SyncAnswer & { readonly isPreview: boolean }> = {
  name: 'sync',
  summary: 'Write the rule files that agent tools read, from AGENTS.md files and .agents/rules',
  effect: 'write',
  scope: 'admin',
  positional: ['place'],
  examples: [
    { command: 'ambit sync', does: 'write the files of the agents that are used here' },
    { command: 'ambit sync --agent cursor --agent cline --dry-run', does: 'show what would change for two agents' },
    { command: 'ambit sync --check', does: 'check in CI that the files are up to date' },
    { command: 'ambit sync --import', does: 'write the rules that agents have here into .agents/rules' },
    { command: 'ambit sync --remove', does: 'remove the files that sync wrote' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      root: text,
      agents: array(text),
      files: array(
        object({
          name: text,
          state: oneOf('write', 'update', 'remove', 'current', 'kept'),
          before: text,
          after: text,
          'note?': text,
        }),
      ),
      notes: array(text),
      isOutdated: flag,
      isPreview: flag,
    }),
  asks: () => false,
  run: async (engine, { agent, check, dryRun, ...request }, run) => {
    const answer = await engine.sync({ ...request, agents: agent, dryRun: dryRun || check }, run)
    return { ...answer, isPreview: dryRun }
  },
  text: ({ isPreview, ...answer }) => (isPreview ? previewText(answer) : answerText(answer)),
  failed: ({ isOutdated }, request) => request?.check === true && isOutdated,
}

function previewText({ files }: SyncAnswer): string {
  return files
    .map(({ name, state, before, after }) => (state === 'kept' ? '' : lineDiff(oneLine(name), before, after)))
    .join('')
}

function answerText({ agents, files, notes }: SyncAnswer): string {
  const changed = files.filter(({ state }) => state !== 'current')
  const lines = changed.map(
    ({ state, name, note }) => `${state}: ${oneLine(name)}\n${note ? `  ${oneLine(note)}\n` : ''}`,
  )
  const current = files.length - changed.length
  const count = current > 0 ? `${countNoun(current, 'file')} up to date\n` : ''
  const nobody = agents.length === 0 ? 'No agent is known to be used here. Name one with --agent.\n' : ''
  return `${lines.join('')}${count}${notes.map((note) => `${note}\n`).join('')}${nobody}`
}
