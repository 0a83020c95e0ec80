import { taskAnswer } from '../../engine/engine.ts'
import { defineOperation, inputs, offByDefault } from '../schema.ts'

const NOTHING_FOUND = 'No file has a word in common with the task.\n'

export const task = defineOperation({
  name: 'task',
  summary: 'Print what to read for a task: relevant code and instructions, within a token budget',
  effect: 'read',
  positional: ['task', 'place'],
  examples: {
    'ambit task "highestRung shows less with a larger budget"': 'print the relevant lines, and why they are relevant',
    'ambit task - < issue.md': 'take an issue, a log or a stack trace as it is',
    'ambit task "fix the login" src/auth --budget 4000': 'rank the code of this package higher',
    'ambit task "fix the login" --signatures': 'also outline the rest of the shown files, and further files',
  },
  tool: {
    name: 'task_context',
    set: 'task',
    about:
      'The code to read for a task: the relevant lines of a code base, with the reason for each file. Call it at the start of a ' +
      'task, before you search or open files',
    inputs: {
      task: 'the whole text: issue, error, stack trace, diff',
      place: 'directory; default .',
      budget: 'token limit',
      signatures: 'also outlines of further files',
    },
    preset: { format: 'xml' },
    budget: 8000,
    meta: ({ files, index }) => ({
      files: files.filter(({ ranges }) => ranges.length > 0).length,
      indexed: index.files,
    }),
  },
  inputs: {
    task: {
      is: 'text',
      required: true,
      description: 'the task: a sentence, an issue, a log, a stack trace or a diff; - reads it from stdin',
    },
    place: { ...inputs.place, description: 'a directory or file of the project; code there ranks higher' },
    budget: { is: 'integer', minimum: 1, default: 8000, description: 'maximum number of tokens; default 8000' },
    files: { is: 'integer', minimum: 1, maximum: 20, description: 'maximum number of files to show; default 10' },
    precise: offByDefault('show only the definitions that fit best, in few tokens'),
    signatures: offByDefault(
      'add the signatures of further definitions, with their line numbers, where the budget has room',
    ),
    rewrite: {
      is: 'flag',
      description: 'ask the language model once for identifiers that the task is about; default off, or as configured',
    },
    format: { is: 'choice', of: ['markdown', 'xml'], default: 'markdown', description: 'the format of the text' },
  },
  output: taskAnswer,
  run: (engine, request, run) => engine.task(request, run),
  runTyped: async (engine, request, run) =>
    engine.task({ ...request, task: request.task === '-' ? await readStdin() : request.task }, run),
  text: ({ text, files }) => (text === '' && files.length === 0 ? NOTHING_FOUND : text),
  notices: (answer) => answer.warnings.map(({ message }) => message),
  hasProgress: true,
})

/** Number of characters after which reading from stdin stops. */
const MAX_CHARACTERS = 1 << 20

async function readStdin(): Promise<string> {
  const textParts: string[] = []
  let length = 0
  process.stdin.setEncoding('utf8')
  for await (const part of process.stdin) {
    textParts.push(String(part))
    length += String(part).length
    if (length > MAX_CHARACTERS) break
  }
  return textParts.join('')
}
