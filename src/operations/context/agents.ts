import type { InitAnswer } from '../../context/answers.ts'
import { AGENT_NAMES } from '../../core/choices.ts'
import { initAnswer, type SyncAnswer, syncAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { lineDiff } from '../../text/line-diff.ts'
import { defineOperation, inputs, offByDefault } from '../schema.ts'

const NOT_WRITTEN_NOTICE = 'Nothing is changed yet. Add --write to make these changes.'

/** Operations on the settings of other agents. */
export const agentSetup = {
  init: defineOperation({
    name: 'init',
    summary: 'Set up a coding agent, so that it gets its context from Ambit; or create a context directory',
    effect: 'write',
    scope: 'admin',
    positional: ['place'],
    examples: {
      'ambit init': 'create the files of a context directory that are missing',
      'ambit init --agent claude': 'show the hooks and the MCP server for Claude Code, and ask before writing them',
      'ambit init --agent claude --user --write': 'add the hooks to your own settings, for all projects',
      'ambit init --agent claude --task': 'add relevant code to the first prompt, too',
      'ambit init --agent claude --remove --write': 'remove the hooks from the project',
    },
    inputs: {
      place: inputs.place,
      agent: { is: 'choice', of: AGENT_NAMES, description: 'set up this agent' },
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
    asks: ({ agent }, plan) => agent !== undefined && (plan === undefined || plan.files.some(isPlanned)),
    run: (engine, request, run) => engine.init(request, run),
    text: ({ files }) => files.map(fileText).join(''),
    notices: ({ files }) => (files.some(isPlanned) ? [NOT_WRITTEN_NOTICE] : []),
    failed: ({ files }) => files.some(({ needsEdit }) => needsEdit),
  }),

  sync: defineOperation({
    name: 'sync',
    summary: 'Write the rule files that agents read, from AGENTS.md files and .agents/rules',
    effect: 'write',
    scope: 'admin',
    positional: ['place'],
    examples: {
      'ambit sync': 'write the files of the agents that are used here',
      'ambit sync --agent cursor --agent cline --dry-run': 'show what would change for two agents',
      'ambit sync --check': 'check in CI that the files are up to date',
      'ambit sync --import': 'write the rules that agents have here into .agents/rules',
      'ambit sync --remove': 'remove the files that sync wrote',
    },
    inputs: {
      place: inputs.place,
      agent: {
        is: 'text',
        list: true,
        placeholder: 'NAME',
        description: 'write for this agent; default the agents that are used here',
      },
      check: offByDefault('write nothing, and end with 1 if a file is out of date'),
      dryRun: offByDefault('write nothing, and print what would change as a diff'),
      import: offByDefault('write the rules that agents have here into .agents/rules'),
      remove: offByDefault('remove the files that sync wrote'),
      gitignore: offByDefault('add the files that sync writes to .gitignore'),
    },
    output: syncAnswer,
    run: async (engine, { agent, check, dryRun, ...request }, run) => {
      const answer = await engine.sync({ ...request, agents: agent, dryRun: dryRun || check }, run)
      return { ...answer, isPreview: dryRun }
    },
    text: ({ isPreview, ...answer }, request) =>
      isPreview ? previewText(answer) : answerText(answer, request?.check === true),
    failed: ({ isOutdated, files }, request) =>
      (request?.check === true && isOutdated) || files.some(({ needsEdit }) => needsEdit),
  }),
}

function isPlanned({ state }: InitAnswer['files'][number]): boolean {
  return state.startsWith('would')
}

/** The state and name of a file, with the diff of a planned change. A new skeleton has no diff, because all of its lines are new. */
function fileText(file: InitAnswer['files'][number]): string {
  const { path, state, content, before = '' } = file
  // A person's settings file stays. Only Ambit's entries are removed from it.
  const keepsFile = /remove/.test(state) && content !== ''
  const lines = fileLines({ ...file, name: path }, keepsFile ? `${state} from` : state)
  return isPlanned(file) && !path.endsWith('.md')
    ? `${lines}${lineDiff(oneLine(path.replace(/^\//, '')), before, content)}`
    : lines
}

type SyncedFile = SyncAnswer['files'][number]

/** The state and name of a file, and a note below. A file that only a person can change has a special state. */
function fileLines({ name, note, needsEdit }: Pick<SyncedFile, 'name' | 'note' | 'needsEdit'>, state: string): string {
  return `${needsEdit ? 'needs an edit' : state}: ${oneLine(name)}\n${note ? `  ${oneLine(note)}\n` : ''}`
}

function previewText(answer: SyncAnswer): string {
  if (answer.files.every(({ state }) => state === 'kept')) return answerText(answer, true)
  return answer.files.map(previewOf).join('')
}

function previewOf(file: SyncedFile): string {
  const { name, state, before, after, needsEdit } = file
  if (state === 'kept') return needsEdit ? fileLines(file, state) : ''
  return lineDiff(oneLine(name), before, after)
}

/** The report of "ambit sync". `isCheck`: whether it wrote no file. */
function answerText({ agents, files, notes }: SyncAnswer, isCheck: boolean): string {
  const changedFiles = files.filter(({ state }) => state !== 'current')
  const lines = changedFiles.map((file) => {
    return fileLines(file, isCheck && file.state !== 'kept' ? `would ${file.state}` : file.state)
  })
  const currentCount = files.length - changedFiles.length
  const currentNote = currentCount > 0 ? `${countNoun(currentCount, 'file')} up to date\n` : ''
  const noAgentNote = agents.length === 0 ? 'Ambit found no agent that is used here. Name one with --agent.\n' : ''
  return `${lines.join('')}${currentNote}${notes.map((note) => `${note}\n`).join('')}${noAgentNote}`
}
