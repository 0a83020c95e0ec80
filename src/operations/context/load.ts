import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, LoadAnswer } from '../../engine/engine.ts'
import {
  accountFields,
  array,
  budgetFields,
  contextDirSchema,
  count,
  flag,
  inputs,
  object,
  oneOf,
  text,
} from '../schema.ts'

const { anyPlace: place, budget, touched, task, profile, order, tokens, home } = inputs

const input = {
  place,
  budget,
  format: {
    is: 'choice',
    of: ['markdown', 'xml'],
    description: 'how the text is written; default markdown, of what is not on disk xml',
  },
  touched,
  task,
  code: { is: 'flag', default: false, description: 'the lines of code that bear on the task, under the same budget' },
  profile,
  order,
  tokens,
  home,
  instructions: {
    is: 'flag',
    default: true,
    description: 'the instruction files, which many agents read by themselves',
  },
  withContextDir: {
    is: 'flag',
    default: false,
    description: 'the context directory at the root, too, of places not on disk (those on disk have theirs anyway)',
  },
  drift: { is: 'flag', default: true, description: 'marks on what cites things that are gone' },
  known: {
    is: 'text',
    list: true,
    placeholder: 'DIGEST',
    description: 'what the reader has, by the digests in "sent" of earlier answers: it is not printed again',
  },
  full: {
    is: 'flag',
    default: true,
    description: 'content and structure of the files in JSON, and what is shown of each',
  },
} as const

const itemSchema = () =>
  object({
    title: text,
    fields: { type: 'object', additionalProperties: text },
    tags: array(text),
    'status?': oneOf('todo', 'done', 'blocked'),
    children: array(text),
  })

const parsedSchema = () =>
  object({
    title: text,
    sections: array(object({ title: text, items: array(itemSchema()), content: text, prose: text })),
    metadata: { type: 'object', additionalProperties: text },
  })

const context = () =>
  object({
    path: text,
    content: text,
    lastModified: { type: 'string', description: 'ISO 8601, UTC' },
    scope: oneOf('project', 'nested', 'home', 'bucket', 'package'),
    reason: text,
  })

const output = () =>
  object({
    place: text,
    root: text,
    'choice?': text,
    contextDir: contextDirSchema(),
    files: array(object({ name: text, path: text, 'content?': text, tokenCount: count, 'parsed?': parsedSchema() })),
    contexts: array(context()),
    'fragments?': array(object({ uri: text, text, 'isPinned?': flag })),
    summary: text,
    text,
    ...budgetFields(),
    ...accountFields(),
    sent: array(object({ uri: text, digest: text })),
  })

/** What applies at a place, under a budget. */
export const loadOperation: Operation<Engine, InputOf<typeof input>, LoadAnswer> = {
  name: 'load',
  summary: 'Print the context that applies at a place, under a token budget',
  effect: 'read',
  positional: ['place'],
  examples: [
    { command: 'ambit load', does: 'the context of the current directory' },
    { command: 'ambit load --touched src/a.ts --task "fix the login"', does: 'what applies to a file and a task' },
    { command: 'ambit load --task "fix the login" --code', does: 'the code that bears on a task, too' },
    { command: 'ambit load docs/api', does: 'the context of a place in a collection, where no such path is on disk' },
    { command: 'ambit load --format xml --budget 2000', does: 'framed for a prompt, at most 2000 tokens' },
  ],
  input: defineInputs(input),
  output,
  run: (engine, request, run) => engine.load(request, run),
  text: ({ text }) => text,
  forText: (input, isExplained) => ({ ...input, full: false, drift: input.drift && isExplained }),
  explained: (answer) => answer,
  notices: ({ choice }) => (choice === undefined ? [] : [choice]),
}
